/** The migrations in order: the first makes the tables, each later one changes them. */
import { books } from "./0001-books.ts";
import { documents } from "./0002-documents.ts";
import { apps } from "./0003-apps.ts";
import { reports } from "./0004-reports.ts";
import { masters } from "./0005-masters.ts";
import { attachments } from "./0006-attachments.ts";
import { journals } from "./0007-journals.ts";
import { orders } from "./0008-orders.ts";
import { foreign } from "./0009-foreign.ts";
import { bank } from "./0010-bank.ts";
import { manualJournals } from "./0011-manual-journals.ts";
import { bankTransfers } from "./0012-bank-transfers.ts";
import { currency } from "./0013-currency.ts";
import { repeating } from "./0014-repeating.ts";
import { batchPayments } from "./0015-batch-payments.ts";
import { foreignBanks } from "./0016-foreign-banks.ts";
import { indexed } from "./0017-indexes.ts";
import { receipts } from "./0018-receipts.ts";
import { webhooks } from "./0019-webhooks.ts";
import { callCounts } from "./0020-call-counts.ts";
import { directory } from "./0021-directory.ts";
import { standing } from "./0022-standing.ts";
import { peers } from "./0023-peers.ts";
import { noPeers } from "./0024-no-peers.ts";
import { paper } from "./0025-paper.ts";
import { onlineDocuments } from "./0026-online-documents.ts";
import { filed } from "./0027-filed.ts";
import { turnover } from "./0028-turnover.ts";
import { billing } from "./0029-billing.ts";
import { employees } from "./0030-employees.ts";
import { webhookAllowances } from "./0031-webhook-allowances.ts";
import type { Migration } from "./tools.ts";

export const migrations: readonly Migration[] = [
  books,
  documents,
  apps,
  reports,
  masters,
  attachments,
  journals,
  orders,
  foreign,
  bank,
  manualJournals,
  bankTransfers,
  currency,
  repeating,
  batchPayments,
  foreignBanks,
  indexed,
  receipts,
  webhooks,
  callCounts,
  directory,
  standing,
  peers,
  noPeers,
  paper,
  onlineDocuments,
  filed,
  turnover,
  billing,
  employees,
  webhookAllowances,
];
