/** The endpoint of /Accounts, which finds records by id and by code. */
import type { Account } from "../../../resources/account.ts";
import { account } from "../../../resources/index.ts";
import type { AccountBatchContext } from "../../accounts/writing.ts";
import { accountByKey } from "../../lookups/chart-of-accounts.ts";
import type { Endpoint } from "../../request/endpoint.ts";

export const accounts: Endpoint<Account, AccountBatchContext> = {
  resource: account,
  listOrder: "Code",
  byKey: accountByKey,
  writer: async () => (await import("../../accounts/writing.ts")).accountWriter,
};
