/** GET /Extensions/Explain/Refusals: explains the rule of a refusal, by the rule's name. */
import { longDate } from "../../ledger/dates/calendar.ts";
import { refusal } from "../../resources/errors.ts";
import { nameOfRule, ruleNamed } from "../../resources/refusal-rules.ts";
import { encodeReports } from "../../wire/encode/encode-report.ts";
import type { ServiceResponse } from "../../wire/http.ts";
import { answerWith, envelopeOf } from "../request/answer.ts";
import { organisationContext, type RequestContext } from "../request/context.ts";

export async function explainRefusal(call: RequestContext): Promise<ServiceResponse> {
  const name = nameOfRule(call.query.get("rule"));
  if (name === undefined) {
    throw refusal("Parameter", "The parameter rule is required: the Rule of a refusal, LockDate.");
  }
  const { id, text, source, remedy } = ruleNamed(name);
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
      { FieldID: "RuleID", Description: "Name of the rule", Value: id },
      { FieldID: "Rule", Description: "Rule", Value: text },
      { FieldID: "Source", Description: "Source", Value: source },
      { FieldID: "Remedy", Description: "What to do", Value: remedy },
    ],
  };
  return answerWith(call, encodeReports(call.format, [report], envelopeOf(call)));
}
