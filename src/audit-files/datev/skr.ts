/**
 * DATEV's charts SKR04, which a German book has as its codes, and SKR03; its tax keys and the
 * accounts that compute tax by themselves.
 *
 * @source DATEV, SKR03 and SKR04, and the list of tax keys (Steuerschlüssel); 13 and 95 are of tax
 *   that is not deducted
 */
import { lazyValue } from "../../ledger/regions/frames.ts";
import type { MappedAccount } from "../account-map.ts";

/** Numbers of the accounts in SKR04, each with that in SKR03. */
const numbers = lazyValue(() =>
  pairsOf(`
    0135 0027 0520 0320 0650 0420 0670 0480 0690 0490 1140 3980 1200 1400 1300 1500 1370 1590
    1433 1588 1460 1360 1600 1000 1610 1010 1800 1200 1810 1210 1820 1220 1830 1230 1840 1240
    1850 1250 1900 0980 2100 1800 2180 1890 2900 0800 2970 0860 3070 0970 3150 0630 3300 1600
    3501 1701 3510 0730 3630 1792 3631 1793 3632 1794 3720 1740 3730 1741 3740 1742 3800 1770
    3820 1780 3830 1781 3900 0990 4100 8100 4120 8120 4125 8125 4130 8130 4185 8195 4300 8300
    4336 8336 4337 8337 4338 8338 4400 8400 4730 8730 4830 2700 4840 2660 4845 8820 5300 3300
    5400 3400 5425 3425 5900 3100 5923 3123 5925 3125 6010 4110 6020 4120 6110 4130 6220 4830
    6300 4900 6310 4210 6325 4240 6400 4360 6420 4380 6470 4805 6530 4530 6600 4610 6620 4635
    6640 4650 6650 4660 6800 4910 6805 4920 6815 4930 6820 4940 6821 4945 6825 4950 6830 4955
    6837 4964 6850 4980 6855 4970 6880 2150 6881 2151 6883 2166 6895 2310 6930 2400 7100 2650
    7310 2110 7600 2200 7610 4320 7685 4510 9000 9000
    1180 1510 1181 1511 1186 1518 3250 1710 3260 1711 3272 1718
    1401 1571 1402 1572 1404 1574 1406 1576 1407 1577 1408 1578 3801 1771 3802 1772 3804 1774
    3806 1776 3809 1779 3835 1785 3837 1787`),
);

/** Accounts of SKR04 that compute tax by themselves, each with the TaxType that they are of. */
const automaticAccounts = lazyValue(() =>
  pairsOf(`
    4120 EXPORT 4125 ECOUTPUT 4130 ECTRIANGULAR 4300 OUTPUT7 4336 ECOUTPUTSERVICES 4337 DRCHARGE
    4400 OUTPUT19 4845 OUTPUT19 5300 INPUT7 5400 INPUT19 5425 ECACQUISITIONS19 5923 REVERSEEU19
    5925 REVERSECHARGE19 1181 INPUT7 1186 INPUT19 3260 OUTPUT7 3272 OUTPUT19`),
);

/** Tax keys by TaxType; other tax types have none, or only keys of three digits. */
export const usualTaxKeys = lazyValue(() =>
  pairsOf(`
    OUTPUT19 3 OUTPUT7 2 EXPORT 1 EXEMPTCREDIT 1 ECOUTPUT 11 ECOUTPUTSERVICES 47 DRCHARGE 46
    INPUT19 9 INPUT7 8 ECACQUISITIONS19 19 ECACQUISITIONS7 18 ECACQUISITIONS19N 13
    REVERSEEU19 94 REVERSEEU7 91 REVERSEEU19N 95 REVERSECHARGE19 94 REVERSECHARGE7 91
    REVERSECHARGE19N 95 REVERSELAND19 94`),
);

function pairsOf(list: string): ReadonlyMap<string, string> {
  return new Map(list.matchAll(/(\S+) (\S+)/g).map(([, one = "", other = ""]) => [one, other]));
}

/**
 * The account of a chart that a code of SKR04 stands for; undefined where SKR03 has none.
 *
 * @param chart  `03` or `04`
 */
export function skrAccount(chart: string, code: string): MappedAccount | undefined {
  const number = chart === "03" ? numbers().get(code) : code;
  const automatic = automaticAccounts().get(code);
  return number === undefined ? undefined : { number, label: undefined, automatic };
}
