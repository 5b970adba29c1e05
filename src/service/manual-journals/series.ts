/** POST /Extensions/JournalSeries: posts several manual journals together. */

import {
  repeatJournal,
  reversingJournals,
  type SeriesJournal,
  spreadAmounts,
} from "../../ledger/journal-series.ts";
import type { Smallest } from "../../ledger/money.ts";
import { smallestAmount } from "../../resources/common.ts";
import { refusal, refusalFor } from "../../resources/errors.ts";
import { manualJournal } from "../../resources/index.ts";
import { type JournalSeries, journalSeries } from "../../resources/journal-series.ts";
import { validate } from "../../resources/validate.ts";
import type { ServiceResponse } from "../../wire/http.ts";
import { type Chart, loadChart } from "../lookups/chart-of-accounts.ts";
import { answer } from "../request/answer.ts";
import { organisationContext, type RequestContext } from "../request/context.ts";
import { Faults } from "../request/faults.ts";
import { enter } from "../request/history.ts";
import { withDefaults } from "../request/merge.ts";
import { readInputs, writeAll } from "../request/write.ts";
import { manualJournalsEndpoint } from "./manual-journal.ts";

/** Posts a series, all journals or none. */
export async function postSeries(call: RequestContext): Promise<ServiceResponse> {
  const [sent = {}] = readInputs(call, { resource: journalSeries }, 1);
  return call.write(async (tx) => {
    const context = await organisationContext(call, tx);
    const { BaseCurrency: base } = context.organisation;
    const faults = new Faults();
    faults.addAll(validate(journalSeries.fields, sent, { creating: true, base }));
    faults.check();
    const series = withDefaults<JournalSeries>(journalSeries.fields, sent);
    checkKind(series);
    const journals = journalsOf(
      series,
      series.Date ?? context.today,
      await loadChart(tx),
      smallestAmount(base),
    );
    // Repeated journals stay independent; those of other series are voided together by SeriesID.
    const SeriesID = series.Every === undefined ? call.newId() : undefined;
    const { LineAmountTypes, ShowOnCashBasisReports, Url } = series;
    const seriesFields = { Status: "POSTED", LineAmountTypes, ShowOnCashBasisReports, SeriesID };
    const writtenItems = await writeAll(
      { call, tx },
      manualJournalsEndpoint,
      journals.map((journal) => ({ input: { ...seriesFields, ...journal, ...(Url && { Url }) } })),
    );
    const errors = writtenItems.flatMap((writeItem) => writeItem.errors);
    if (errors.length > 0) throw refusalFor(errors);
    for (const { record, history } of writtenItems) {
      await enter(call, tx, manualJournal, record?.ManualJournalID ?? "", ...history);
    }
    return answer(
      call,
      manualJournal,
      writtenItems.flatMap(({ record }) => record ?? []),
      "single",
    );
  });
}

/** @throws RefusedError unless the input has exactly one kind of series, with its fields */
function checkKind(series: JournalSeries): void {
  const { ReverseOn, Months, Every, Times, Until, PrepaymentAccount, LineAmountTypes } = series;
  const faults = new Faults();
  const kinds = [ReverseOn, Months, Every].filter((text) => text !== undefined);
  if (kinds.length !== 1) faults.add("Form", "A series has one of ReverseOn, Months and Every.");
  if (Every !== undefined && (Times === undefined) === (Until === undefined)) {
    faults.add("Form", "What is repeated has either Times or Until.");
  }
  if (Every === undefined && (Times !== undefined || Until !== undefined)) {
    faults.add("Form", "Times and Until are of what is repeated: give Every.");
  }
  if (Months === undefined && PrepaymentAccount !== undefined) {
    faults.add("Form", "A PrepaymentAccount is of what is spread: give Months.");
  }
  if (Months !== undefined && LineAmountTypes !== "NoTax") {
    faults.add("LineAmount", "Amounts are spread without tax: LineAmountTypes is NoTax.");
  }
  faults.check();
}

function journalsOf(
  series: JournalSeries,
  date: string,
  chart: Chart,
  smallest: Smallest,
): SeriesJournal[] {
  const { Narration, JournalLines, ReverseOn, Months, Every, Times, Until } = series;
  const journal = { Narration, JournalLines, Date: date };
  if (ReverseOn !== undefined) return reversingJournals(journal, ReverseOn);
  if (Every !== undefined) return repeatJournal(journal, Every, { times: Times, until: Until });
  return spreadAmounts(journal, Months ?? 1, prepaymentAccount(series, chart), smallest);
}

/** @returns the code of the prepayment account. @throws RefusedError */
function prepaymentAccount({ PrepaymentAccount: named }: JournalSeries, chart: Chart): string {
  const key = named?.AccountID ?? named?.Code;
  if (key !== undefined) {
    const account = chart.account(key);
    if (account?.Status === "ACTIVE" && account.Code !== undefined) return account.Code;
    throw refusal("NotFound", `There is no active account '${key}' for prepayments.`);
  }
  const ofType = chart.accounts.filter(
    ({ Type, Name, Status }) =>
      Status === "ACTIVE" && (Type === "PREPAYMENT" || /^prepayments?$/i.test(Name)),
  );
  if (ofType.length === 1 && ofType[0]?.Code !== undefined) return ofType[0].Code;
  throw refusal("Required", "Say in PrepaymentAccount where the amount waits.");
}
