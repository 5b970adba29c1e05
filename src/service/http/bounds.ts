/** What the head of a request may be, whoever reads it first. */

/** How long a client may take over it. */
export const headersTimeoutMs = 20_000;
/** Lists of ids travel in addresses. */
export const headBytesMax = 64 * 1024;
