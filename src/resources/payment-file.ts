/** Formats of payment files for banks. */

export const paymentFileFormats = ["pain.001", "aba", "ib4b", "csv"] as const;

export type PaymentFileFormat = (typeof paymentFileFormats)[number];

/** Root path of payment files; the id of the batch payment follows. */
export const paymentFilePath = "/Extensions/PaymentFiles";
