/** The migrations in order: the first makes the tables, each later one changes them. */
import { books } from "./0001-books.ts";
import { documents } from "./0002-documents.ts";
import { apps } from "./0003-apps.ts";
import { reports } from "./0004-reports.ts";
import { masters } from "./0005-masters.ts";
import { attachments } from "./0006-attachments.ts";
import { journals } from "./0007-journals.ts";
import { orders } from "./0009-orders.ts";
import { foreign } from "./0010-foreign.ts";
import { bank } from "./0011-bank.ts";
import { manualJournals } from "./0012-manual-journals.ts";
import { bankTransfers } from "./0013-bank-transfers.ts";
import { currency } from "./0014-currency.ts";
import { repeating } from "./0015-repeating.ts";
import { batchPayments } from "./0016-batch-payments.ts";
import { foreignBanks } from "./0017-foreign-banks.ts";
import { indexed } from "./0020-indexes.ts";
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
];
