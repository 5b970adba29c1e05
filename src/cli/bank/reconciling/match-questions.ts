/** Questions that say what a statement line is; each has what was answered before as its preset. */

import { depositAccounts } from "../../../ledger/regions/index.ts";
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
import { type AccountUse, mayTake, sortByUse } from "./account-order.ts";
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
  chosenDocuments: KnownDocument[];
  /** What becomes of the difference between documents and line. */
  rest?: RestChoice;
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
type RestChoice = "part" | "account" | "Overpayment" | "Prepayment";

export const newDraft = (): MatchDraft => ({ chosenDocuments: [], lines: [] });

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
  matchTalk: MatchTalk,
  line: BankStatementLine,
  draft: MatchDraft,
  { message = "Which account?", difference, isDeposit }: AccountQuestion = {},
): QuestionStep {
  return {
    ask: async (ask) => {
      const byUse = sortByUse(matchTalk.names.accounts.filter(mayTake), matchTalk.use, line, {
        contact: draft.contact ?? draft.chosenDocuments[0]?.contact ?? line.Payee,
        difference,
        deposits: isDeposit?.()
          ? depositAccounts(matchTalk.names.country, line.Amount > 0).map(({ code }) => code)
          : undefined,
      });
      // Nothing is preset for a difference that is more than a fee.
      const isOpen = difference !== undefined && Math.abs(difference) > presetMax;
      const foundAccount = await searchAccount(ask, message, byUse, {
        before: draft.accountCode,
        isOpen,
      });
      if (foundAccount.Code !== draft.accountCode) delete draft.taxType;
      draft.accountCode = foundAccount.Code ?? "";
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
      const searchText = term.toLowerCase();
      const fits = [...first, ...accounts.filter((each) => !first.includes(each))].filter((each) =>
        name(each).toLowerCase().includes(searchText),
      );
      const choices = fits.map((account) => ({ name: safeLine(name(account)), value: account }));
      const unset = {
        name: "Type a code or name",
        value: choices[0]?.value as Account,
        disabled: "nothing is preset",
      };
      return isOpen && searchText === "" && before === undefined ? [unset, ...choices] : choices;
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

const mayBear = (account: Account | undefined, rate: MatchNames["taxRates"][number]): boolean =>
  account?.Class !== undefined && rate[classFlags[account.Class]] === true;

/** Asks for an option of each tracking category; nothing where there are none. */
export function trackingStep({ ctx }: MatchTalk, draft: MatchDraft): QuestionStep {
  return {
    ask: async (ask) => {
      const client = await ctx.client();
      const categories = await Array.fromAsync(client.list(trackingCategory));
      const formerTags = draft.tracking ?? [];
      const steps = categories
        .filter(({ Status, Options = [] }) => Status === "ACTIVE" && Options.length > 0)
        .map(
          ({ Name, Options = [] }): QuestionStep => ({
            ask: async (asking) => {
              const knownOption = draft.tracking?.find((line) => line.Name === Name)?.Option;
              const option = await asking.choose<string>({
                message: `${safeLine(Name)}?`,
                initial: knownOption ?? "",
                choices: [
                  { name: "None", value: "" },
                  ...Options.filter(({ Status }) => Status === "ACTIVE").map((option) => ({
                    name: safeLine(option.Name ?? ""),
                    value: option.Name ?? "",
                  })),
                ],
              });
              const otherTags = (draft.tracking ?? formerTags).filter((line) => line.Name !== Name);
              draft.tracking = option === "" ? otherTags : [...otherTags, { Name, Option: option }];
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
      const lineText = [line.Payee, line.Description].filter(Boolean).join(" ");
      draft.description = await ask.text({
        message: "Description",
        initial: safeLine(draft.description ?? lineText).slice(0, 4000),
        read: (text) => text.trim(),
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
  matchTalk: MatchTalk,
  line: BankStatementLine,
  draft: MatchDraft,
): QuestionStep {
  return {
    ask: async (ask) => {
      const wholeAmount = Math.abs(line.Amount);
      draft.lines = [];
      for (let left = wholeAmount; left > 0; ) {
        const restAmount = left as Cents;
        const partDraft: MatchDraft = {
          ...newDraft(),
          ...(draft.contact && { contact: draft.contact }),
        };
        let amount = restAmount;
        const message =
          left === wholeAmount ? "Which account?" : `And which account, for ${money(left, line)}?`;
        await askInTurn(ask, [
          accountStep(matchTalk, line, partDraft, { message }),
          {
            ask: async (asking) => {
              amount = await asking.text<Cents>({
                message: `How much of ${money(restAmount, line)}? (nothing: all of it)`,
                read: (text) => readPart(text, restAmount, money(restAmount, line)),
              });
            },
          },
        ]);
        const Amount = (line.Amount < 0 ? -amount : amount) as Cents;
        draft.lines.push({ AccountCode: partDraft.accountCode ?? "", Amount });
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
function readPart(text: string, restAmount: Cents, shownRest: string): Cents {
  if (text.trim() === "") return restAmount;
  const partAmount = parseValue(moneyField(), text.trim(), { name: "the amount" }) as Cents;
  if (partAmount > 0 && partAmount <= restAmount) return partAmount;
  throw new UsageError("BadValue", `It must be above zero and at most ${shownRest}.`);
}

/** Asks for the other account of a transfer, and what moved there where its currency differs. */
export function transferSteps(
  matchTalk: MatchTalk,
  line: BankStatementLine,
  draft: MatchDraft,
): QuestionStep[] {
  const otherAccounts = matchTalk.names.accounts.filter(
    ({ Type, AccountID }) => Type === "BANK" && AccountID !== matchTalk.account.AccountID,
  );
  const currency = () => draft.otherAccount?.CurrencyCode ?? matchTalk.names.base;
  return [
    {
      ask: async (ask) => {
        const codeBefore = draft.otherAccount?.Code;
        draft.otherAccount = await searchAccount(ask, "Which of your accounts?", otherAccounts, {
          before: codeBefore,
        });
      },
    },
    {
      when: () => currency() !== currencyOf(matchTalk),
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
    read: (text) =>
      text.trim() === ""
        ? undefined
        : (parseValue(moneyField(), text.trim(), { name: "the amount" }) as Cents),
  });
}
