/** What pages say of a book that has no bank account yet. */
import { html } from "../../../output/markup.ts";

export const noBankAccounts = html`No bank accounts yet. <code>acct account create --type BANK</code> makes one.`;
