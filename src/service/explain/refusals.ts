/** GET /Extensions/Explain/Refusals: the rule behind a sentence with which something was refused. */
import { longDate } from "../../ledger/dates/calendar.ts";
import { ruleOf } from "../../resources/refusal-rules.ts";
import { encodeReports } from "../../wire/encode/report.ts";
import type { ServiceResponse } from "../../wire/http.ts";
import { answerWith, envelopeOf } from "../request/answer.ts";
import { invalid, organisationContext, type RequestContext } from "../request/context.ts";

/** Longest sentence that is looked at, in characters. */
const messageMax = 2_000;

export async function explainRefusal(call: RequestContext): Promise<ServiceResponse> {
  const message = call.query.get("message")?.slice(0, messageMax);
  if (message === undefined) throw invalid("The parameter message is required: the sentence.");
  const { id, text, source, remedy } = ruleOf(message);
  const { organisation, today } = await call.read((tx) => organisationContext(call, tx));
  const report = {
    ReportID: "Refusal",
    ReportName: "Refusal",
    ReportType: "Refusal",
    ReportTitles: ["Refusal", organisation.Name],
    ReportDate: longDate(today),
    UpdatedDateUTC: call.now(),
    Rows: [],
    Fields: [
      { FieldID: "Message", Description: "What was said", Value: message },
      { FieldID: "RuleID", Description: "Name of the rule", Value: id },
      { FieldID: "Rule", Description: "Rule", Value: text },
      { FieldID: "Source", Description: "Source", Value: source },
      { FieldID: "Remedy", Description: "What to do", Value: remedy },
    ],
  };
  return answerWith(call, encodeReports(call.format, [report], envelopeOf(call)));
}
