/** Files of payments, as banks take them. */

export const paymentFileFormats = ["pain.001", "aba", "ib4b", "csv"] as const;

export type PaymentFileFormat = (typeof paymentFileFormats)[number];

/** Below it the file of each batch payment. */
export const paymentFilePath = "/Extensions/PaymentFiles";
