/** Rules for bank statement lines, in the order of their positions. */

import { amountFault, smallestAmount } from "../../resources/common.ts";
import type { Contact } from "../../resources/contact.ts";
import { refusal } from "../../resources/errors.ts";
import { bankRule } from "../../resources/index.ts";
import { filterFields, list, type StoredFields } from "../../store/mapping/records.ts";
import type { Tx } from "../../store/tx/tx.ts";
import { parseWhere } from "../../wire/query/where.ts";
import { bankAccountNamed } from "../documents/bank.ts";
import { type Contacts, loadContacts } from "../documents/load-references.ts";
import { type Chart, loadChart } from "../lookups/chart-of-accounts.ts";
import type { Endpoint, RecordWriter } from "../request/endpoint.ts";
import { Faults } from "../request/faults.ts";
import { recordFrom } from "../request/merge.ts";

export type StoredRule = StoredFields<typeof bankRule.fields>;

interface RuleContext {
  readonly chart: Chart;
  readonly contacts: Contacts;
  /** The highest position in use. */
  lastPosition: number;
}

/** Minimum letters or digits of a text that a rule looks for. */
const ruleLettersMin = 3;

const isActive = parseWhere('Status=="ACTIVE"', "BankRule", filterFields(bankRule));

/** Returns the active rules by their positions. */
export async function activeRules(tx: Tx): Promise<readonly StoredRule[]> {
  const { records } = await list(tx, bankRule, { where: isActive });
  return records.toSorted((a, b) => a.Position - b.Position);
}

export const bankRules: Endpoint<StoredRule, RuleContext> = {
  resource: bankRule,
  listOrder: "Position",
  defaultFilter: () => [isActive],
  async byKey(tx, key) {
    return (await activeRules(tx)).find(({ Name }) => Name.toLowerCase() === key.toLowerCase());
  },
  writer: async () => ruleWriter,
};

const ruleWriter: RecordWriter<StoredRule, RuleContext> = {
  async load({ tx, entries }) {
    const references = entries.map(({ input }) => (input as Partial<StoredRule>).Contact);
    const rules = await activeRules(tx);
    return {
      chart: await loadChart(tx),
      contacts: await loadContacts(tx, references),
      lastPosition: Math.max(0, ...rules.map(({ Position }) => Position)),
    };
  },

  decide({ call, organisation }, context, entry) {
    const { existing, input } = entry;
    if (existing?.Status === "DELETED")
      throw refusal("Status", "A deleted bank rule cannot be changed.");
    const faults = new Faults();
    const record = recordFrom<StoredRule>(bankRule, call, existing, input);
    if (input.Position === undefined && existing === undefined) {
      context.lastPosition += 1;
      record.Position = context.lastPosition;
    }
    const { Contact, TransferAccount } = input as Partial<StoredRule>;
    if (Contact !== undefined) {
      record.Contact = context.contacts.resolve(Contact, faults) as Contact;
    }
    if (TransferAccount !== undefined) {
      record.TransferAccount = bankAccountNamed(
        "TransferAccount",
        TransferAccount,
        context.chart,
        (rule, message) => faults.add(rule, message),
      );
    }
    checkOutcome(record, context.chart, faults);
    checkConditions(record, context.chart, faults);
    checkDigits(record, context.chart, organisation.BaseCurrency, faults);
    faults.check();
    entry.record = record;
    const isDeleted = record.Status === "DELETED";
    const changes = existing === undefined ? "Created" : isDeleted ? "Deleted" : "Edited";
    entry.history.push({
      changes,
      details: `The rule ${record.Name} was ${changes.toLowerCase()}.`,
    });
  },
};

function checkOutcome({ Lines = [], TransferAccount }: StoredRule, chart: Chart, faults: Faults) {
  if ((Lines.length === 0) === (TransferAccount === undefined)) {
    faults.add("Form", "A bank rule has either Lines or a TransferAccount.");
  }
  for (const { AccountCode = "", TaxType, Percent, Amount } of Lines) {
    const account = chart.account(AccountCode);
    if (account === undefined || account.Status !== "ACTIVE") {
      faults.add("NotFound", `There is no active account ${AccountCode}.`);
    }
    if (TaxType !== undefined && chart.taxRate(TaxType) === undefined) {
      faults.add("NotFound", `There is no tax rate ${TaxType}.`);
    }
    if (Percent !== undefined && Amount !== undefined) {
      faults.add("Form", "A line of a bank rule has a Percent or an Amount, not both.");
    }
  }
  const open = Lines.filter(({ Percent, Amount }) => Percent === undefined && Amount === undefined);
  if (open.length > 1) faults.add("Form", "One line of a bank rule takes the rest, not several.");
}

/** Adds a fault for amounts with more decimals than any currency of the rule's accounts has. */
function checkDigits(
  { Conditions = [], Lines = [] }: Partial<StoredRule>,
  chart: Chart,
  baseCurrency: string,
  faults: Faults,
): void {
  const named = Conditions.flatMap(({ Field, Value }) => (Field === "account" ? [Value] : []));
  const accounts =
    named.length > 0
      ? named.map((text) => chart.account(text ?? ""))
      : chart.accounts.filter(({ Type, Status }) => Type === "BANK" && Status === "ACTIVE");
  const currencies = accounts.map((account) => account?.CurrencyCode ?? baseCurrency);
  if (currencies.some((code) => smallestAmount(code) === 1)) return;
  const amounts = [
    ...Lines.map(({ Amount }) => ["Amount", Amount] as const),
    ...Conditions.flatMap(({ From, To }) => [["From", From] as const, ["To", To] as const]),
  ];
  for (const [name, amount = 0] of amounts) {
    const fault = amountFault(name, amount, currencies[0] ?? baseCurrency);
    if (fault !== undefined) faults.add("Currency", fault);
  }
}

const isTextField = (field: string | undefined) =>
  field === "payeeOrText" || field === "payee" || field === "text" || field === "reference";

const lettersIn = (text: string) => text.replace(/[^\p{L}\p{N}]/gu, "").length;

function checkConditions(
  { Conditions = [] }: Partial<StoredRule>,
  chart: Chart,
  faults: Faults,
): void {
  if (Conditions.length === 0) faults.add("Required", "A bank rule has at least one condition.");
  for (const { Field, Value = "", From, To } of Conditions) {
    if (Field === "amount") {
      if (From === undefined && To === undefined)
        faults.add("Form", "An amount has a From, a To or both.");
    } else if (Value === "") {
      faults.add("Form", `The condition on ${Field} has no Value.`);
    } else if (Field === "direction" && Value !== "in" && Value !== "out") {
      faults.add("Form", `A direction is in or out, not ${Value}.`);
    } else if (Field === "account" && chart.account(Value)?.Type !== "BANK") {
      faults.add("NotFound", `There is no bank account ${Value}.`);
    } else if (isTextField(Field) && lettersIn(Value) < ruleLettersMin) {
      faults.add(
        "Form",
        `The text "${Value}" would fit too many lines: it has at least ${ruleLettersMin} letters or digits.`,
      );
    }
  }
}
