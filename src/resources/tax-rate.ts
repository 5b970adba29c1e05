/** A tax rate, with its components. */
import { boolean, choice, many, percent, resource, type Shape, text } from "./field.ts";

/** Report tax types that typed clients of this API know. */
const reportTaxTypes =
  "AVALARA BASEXCLUDED CAPITALSALESOUTPUT CAPITALEXPENSESINPUT ECOUTPUT ECOUTPUTSERVICES ECINPUT ECACQUISITIONS EXEMPTEXPENSES EXEMPTINPUT EXEMPTOUTPUT GSTONIMPORTS INPUT INPUTTAXED MOSSSALES NONE NONEOUTPUT OUTPUT PURCHASESINPUT SALESOUTPUT EXEMPTCAPITAL EXEMPTEXPORT CAPITALEXINPUT GSTONCAPIMPORTS GSTONCAPITALIMPORTS REVERSECHARGES PAYMENTS INVOICE CASH ACCRUAL FLATRATECASH FLATRATEACCRUAL ACCRUALS TXCA SRCAS DSOUTPUT BLINPUT2 EPINPUT IMINPUT2 MEINPUT IGDSINPUT2 ESN33OUTPUT OPINPUT OSOUTPUT TXN33INPUT TXESSINPUT TXREINPUT TXPETINPUT NRINPUT ES33OUTPUT ZERORATEDINPUT ZERORATEDOUTPUT DRCHARGESUPPLY DRCHARGE CAPINPUT CAPIMPORTS IMINPUT INPUT2 CIUINPUT SRINPUT OUTPUT2 SROUTPUT CAPOUTPUT SROUTPUT2 CIUOUTPUT ZROUTPUT ZREXPORT ACC28PLUS ACCUPTO28 OTHEROUTPUT SHOUTPUT ZRINPUT BADDEBT OTHERINPUT BADDEBTRELIEF IGDSINPUT3 SROVR TOURISTREFUND TXRCN33 TXRCRE TXRCESS TXRCTS CAPEXINPUT UNDEFINED CAPEXOUTPUT ZEROEXPOUTPUT GOODSIMPORT NONEINPUT NOTREPORTED SROVRRS SROVRLVG SRLVG IM IMESS IMN33 IMRE BADDEBTRECOVERY USSALESTAX BLINPUT3".split(
    " ",
  );

/**
 * Tax categories of e-invoices: standard, zero, exempt, reverse charge, supply within the European
 * Union, export, not subject to tax.
 *
 * @source UNCL 5305, the part that EN 16931 takes
 */
export const taxCategories = ["S", "Z", "E", "AE", "K", "G", "O"] as const;
export type TaxCategory = (typeof taxCategories)[number];

const flag = boolean({ readOnly: true, always: true });

export const taxRate = resource(
  "TaxRate",
  () => ({
    Name: text({ max: 100, required: true, filter: true, oneLine: true }),
    TaxType: text({
      max: 50,
      key: true,
      filter: true,
      help: "given by the service; names the rate on updates",
    }),
    ReportTaxType: choice(reportTaxTypes, { help: "needed on create in AU, NZ and the UK" }),
    CanApplyToAssets: flag,
    CanApplyToEquity: flag,
    CanApplyToExpenses: flag,
    CanApplyToLiabilities: flag,
    CanApplyToRevenue: flag,
    DisplayTaxRate: percent({ readOnly: true, always: true }),
    EffectiveRate: percent({ readOnly: true, always: true }),
    TaxCategory: choice(taxCategories, {
      extension: true,
      help: "on e-invoices: S standard, Z zero, E exempt, AE reverse charge, K within the EU, G export, O not subject to tax",
    }),
    Status: choice(["ACTIVE", "DELETED", "ARCHIVED", "PENDING"], {
      default: "ACTIVE",
      always: true,
      filter: true,
    }),
    TaxComponents: many("TaxComponent", {
      Name: text({ max: 50, required: true, oneLine: true }),
      Rate: percent({ required: true }),
      IsCompound: boolean({ default: false, always: true }),
      IsNonRecoverable: boolean({ default: false, always: true, help: "Canada only" }),
    }),
  }),
  {
    plural: "TaxRates",
    id: "TaxType",
    collection: ["GET", "PUT", "POST"],
    record: ["GET"],
    where: true,
    order: true,
    parameters: [{ name: "TaxType", field: "TaxType" }],
    columns: ["TaxType", "Name", "EffectiveRate", "ReportTaxType", "Status"],
    listOrder: "Name ASC",
    noun: "tax rate",
    example: "OUTPUT",
    summary: "tax rates and their components",
  },
);

export type TaxRate = Shape<typeof taxRate>;
