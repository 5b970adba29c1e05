/** Questions that say what a statement line is; each has what was answered before as its preset. */

import type { Account } from "../../../resources/account.ts";
import type { BankMatchInput } from "../../../resources/bank-match.ts";
import type { BankStatementLine } from "../../../resources/bank-statement.ts";
import { amountText } from "../../../resources/common.ts";
import { contact } from "../../../resources/contact.ts";
import type { Cents } from "../../../resources/decimal.ts";
import { UsageError } from "../../../resources/errors.ts";
import { money as moneyField } from "../../../resources/field.ts";
import { trackingCategory } from "../../../resources/tracking-category.ts";
import type { Context } from "../../context/context.ts";
import { askInTurn, type QuestionStep, type Questions } from "../../framework/questions.ts";
import { safeLine } from "../../render/safe.ts";
import { parseValue } from "../../values/value.ts";
import { type AccountUse, inOrderOfUse, mayTake } from "./account-order.ts";
import type { KnownDocument, MatchNames } from "./match-parts.ts";

export interface MatchTalk {
  readonly ctx: Context;
  /** The bank account of the lines. */
  readonly account: Account;
  readonly ask: Questions;
  readonly names: MatchNames;
  readonly use: AccountUse;
}

export type MatchLines = NonNullable<BankMatchInput["Lines"]>;
type MatchLine = MatchLines[number];

/** What was answered about a line so far; questions begin with it when they are asked again. */
export interface MatchDraft {
  documents: KnownDocument[];
  /** What becomes of the difference between documents and line. */
  rest?: Rest;
  accountCode?: string;
  taxType?: string;
  tracking?: MatchLine["Tracking"];
  description?: string;
  contact?: string;
  /** Parts of a line that goes to several accounts. */
  lines: MatchLine[];
  otherAccount?: Account;
  transferAmount?: Cents;
}

/** What becomes of the difference between documents and line. */
type Rest = "part" | "account" | "Overpayment" | "Prepayment";

export const newDraft = (): MatchDraft => ({ documents: [], lines: [] });

export const money = (amount: number, { CurrencyCode }: { readonly CurrencyCode?: string }) =>
  amountText(amount, CurrencyCode);

export const currencyOf = ({ names, account: { CurrencyCode } }: MatchTalk): string =>
  CurrencyCode ?? names.base;

interface AccountQuestion {
  readonly message?: string;
  /** Size of the difference that the account is for, in cents. */
  readonly difference?: number;
  readonly isDeposit?: () => boolean;
}

/**
 * Returns the code of an account that the user searches for by code or name.
 *
 * @param before  code that was answered before, which comes first
 */
export function accountStep(
  talk: MatchTalk,
  line: BankStatementLine,
  draft: MatchDraft,
  { message = "Which account?", difference, isDeposit }: AccountQuestion = {},
): QuestionStep {
  return {
    ask: async (ask) => {
      const ordered = inOrderOfUse(talk.names.accounts.filter(mayTake), talk.use, line, {
        contact: draft.contact ?? draft.documents[0]?.contact ?? line.Payee,
        difference,
        isDeposit: isDeposit?.(),
      });
      // Nothing is preset for a difference that is more than a fee.
      const isOpen = difference !== undefined && Math.abs(difference) > presetMax;
      const found = await searchAccount(ask, message, ordered, {
        before: draft.accountCode,
        isOpen,
      });
      if (found.Code !== draft.accountCode) delete draft.taxType;
      draft.accountCode = found.Code ?? "";
    },
  };
}

/** Largest difference for whose account there is a preset, in cents. */
const presetMax = 500;

function searchAccount(
  ask: Questions,
  message: string,
  accounts: readonly Account[],
  { before, isOpen = false }: { readonly before?: string | undefined; readonly isOpen?: boolean },
): Promise<Account> {
  const name = (account: Account) => `${account.Code ?? ""}  ${account.Name}`;
  const first = accounts.filter(({ Code }) => Code === before);
  return ask.search<Account>({
    message,
    source: (term) => {
      const wanted = term.toLowerCase();
      const fits = [...first, ...accounts.filter((each) => !first.includes(each))].filter((each) =>
        name(each).toLowerCase().includes(wanted),
      );
      const choices = fits.map((account) => ({ name: safeLine(name(account)), value: account }));
      const unset = {
        name: "Type a code or name",
        value: choices[0]?.value as Account,
        disabled: "nothing is preset",
      };
      return isOpen && wanted === "" && before === undefined ? [unset, ...choices] : choices;
    },
  });
}

/** Asks for the tax rate of money spent or received; the tax rate of the account is preset. */
export function taxStep({ names }: MatchTalk, draft: MatchDraft): QuestionStep {
  return {
    ask: async (ask) => {
      const own = names.account(draft.accountCode);
      const preset = draft.taxType ?? own?.TaxType ?? "NONE";
      const rates = names.taxRates.filter((rate) => mayBear(own, rate) || rate.TaxType === preset);
      if (rates.length < 2) return;
      draft.taxType = await ask.choose<string>({
        message: "Which tax?",
        initial: preset,
        choices: rates.map(({ Name, TaxType }) => ({ name: safeLine(Name), value: TaxType ?? "" })),
      });
    },
  };
}

const classFlags = {
  ASSET: "CanApplyToAssets",
  EQUITY: "CanApplyToEquity",
  EXPENSE: "CanApplyToExpenses",
  LIABILITY: "CanApplyToLiabilities",
  REVENUE: "CanApplyToRevenue",
} as const;

const mayBear = (own: Account | undefined, rate: MatchNames["taxRates"][number]): boolean =>
  own?.Class !== undefined && rate[classFlags[own.Class]] === true;

/** Asks for an option of each tracking category; nothing where there are none. */
export function trackingStep({ ctx }: MatchTalk, draft: MatchDraft): QuestionStep {
  return {
    ask: async (ask) => {
      const client = await ctx.client();
      const categories = await Array.fromAsync(client.list(trackingCategory));
      const before = draft.tracking ?? [];
      const steps = categories
        .filter(({ Status, Options = [] }) => Status === "ACTIVE" && Options.length > 0)
        .map(
          ({ Name, Options = [] }): QuestionStep => ({
            ask: async (asking) => {
              const known = draft.tracking?.find((line) => line.Name === Name)?.Option;
              const option = await asking.choose<string>({
                message: `${safeLine(Name)}?`,
                initial: known ?? "",
                choices: [
                  { name: "None", value: "" },
                  ...Options.filter(({ Status }) => Status === "ACTIVE").map((option) => ({
                    name: safeLine(option.Name ?? ""),
                    value: option.Name ?? "",
                  })),
                ],
              });
              const others = (draft.tracking ?? before).filter((line) => line.Name !== Name);
              draft.tracking = option === "" ? others : [...others, { Name, Option: option }];
            },
          }),
        );
      await askInTurn(ask, steps);
    },
  };
}

/** Asks for the description; preset is what the bank tells. */
export function descriptionStep(line: BankStatementLine, draft: MatchDraft): QuestionStep {
  return {
    ask: async (ask) => {
      const told = [line.Payee, line.Description].filter(Boolean).join(" ");
      draft.description = await ask.text({
        message: "Description",
        initial: safeLine(draft.description ?? told).slice(0, 4000),
        read: (typed) => typed.trim(),
      });
    },
  };
}

/** Asks for the contact; a new one is a choice of its own, and never the first of several. */
export function contactStep(
  { ctx }: MatchTalk,
  line: BankStatementLine,
  draft: MatchDraft,
): QuestionStep {
  return {
    ask: async (ask) => {
      draft.contact = await ask.search<string>({
        message: line.Amount > 0 ? "From whom?" : "To whom?",
        source: async (term) => {
          const wanted = term === "" ? (draft.contact ?? line.Payee ?? "") : term;
          const client = await ctx.client();
          const query = { ...(wanted === "" ? {} : { searchTerm: wanted }), limit: 10 };
          const found = await Array.fromAsync(client.list(contact, query), ({ Name }) => Name);
          const isSame = (text: string) => text.toLowerCase() === wanted.toLowerCase();
          const names = [...found.filter(isSame), ...found.filter((text) => !isSame(text))];
          const isNew = wanted !== "" && !names.some(isSame);
          return [
            ...names.map((name) => ({ name: safeLine(name), value: name })),
            ...(isNew ? [{ name: `A new contact: ${safeLine(wanted)}`, value: wanted }] : []),
          ];
        },
      });
    },
  };
}

/** Asks for accounts with parts of a line, the last with the remainder. */
export function partsStep(
  talk: MatchTalk,
  line: BankStatementLine,
  draft: MatchDraft,
): QuestionStep {
  return {
    ask: async (ask) => {
      const whole = Math.abs(line.Amount);
      draft.lines = [];
      for (let left = whole; left > 0; ) {
        const rest = left as Cents;
        const part: MatchDraft = {
          ...newDraft(),
          ...(draft.contact && { contact: draft.contact }),
        };
        let amount = rest;
        const message =
          left === whole ? "Which account?" : `And which account, for ${money(left, line)}?`;
        await askInTurn(ask, [
          accountStep(talk, line, part, { message }),
          {
            ask: async (asking) => {
              amount = await asking.text<Cents>({
                message: `How much of ${money(rest, line)}? (nothing: all of it)`,
                read: (typed) => readPart(typed, rest, money(rest, line)),
              });
            },
          },
        ]);
        const Amount = (line.Amount < 0 ? -amount : amount) as Cents;
        draft.lines.push({ AccountCode: part.accountCode ?? "", Amount });
        left -= amount;
      }
    },
  };
}

/**
 * Parses a part of the amount of a line.
 *
 * @throws UsageError for a text that is not a part of `rest`
 */
function readPart(typed: string, rest: Cents, shown: string): Cents {
  if (typed.trim() === "") return rest;
  const part = parseValue(moneyField(), typed.trim(), { name: "the amount" }) as Cents;
  if (part > 0 && part <= rest) return part;
  throw new UsageError("BadValue", `It must be above zero and at most ${shown}.`);
}

/** Asks for the other account of a transfer, and what moved there where its currency differs. */
export function transferSteps(
  talk: MatchTalk,
  line: BankStatementLine,
  draft: MatchDraft,
): QuestionStep[] {
  const others = talk.names.accounts.filter(
    ({ Type, AccountID }) => Type === "BANK" && AccountID !== talk.account.AccountID,
  );
  const currency = () => draft.otherAccount?.CurrencyCode ?? talk.names.base;
  return [
    {
      ask: async (ask) => {
        const before = draft.otherAccount?.Code;
        draft.otherAccount = await searchAccount(ask, "Which of your accounts?", others, {
          before,
        });
      },
    },
    {
      when: () => currency() !== currencyOf(talk),
      ask: async (ask) => {
        const amount = await askTransferAmount(
          ask,
          line,
          draft.otherAccount?.Name ?? "",
          currency(),
        );
        if (amount === undefined) delete draft.transferAmount;
        else draft.transferAmount = amount;
      },
    },
  ];
}

/** Asks what moved on the other account of a transfer, in its currency. */
export function askTransferAmount(
  ask: Questions,
  line: BankStatementLine,
  name: string,
  currency: string,
): Promise<Cents | undefined> {
  const verb = line.Amount > 0 ? "left" : "came to";
  return ask.text<Cents | undefined>({
    message: `How much ${verb} ${safeLine(name)}, in ${currency}? (nothing: at the day's rate)`,
    read: (typed) =>
      typed.trim() === ""
        ? undefined
        : (parseValue(moneyField(), typed.trim(), { name: "the amount" }) as Cents),
  });
}
