/** What was looked at, and how it is. */

export interface Finding {
  readonly state: "ok" | "warning" | "wrong";
  readonly what: string;
  /** A sentence or a few words, without secrets. */
  readonly detail: string;
  /** What to do about it. */
  readonly remedy?: string | undefined;
  /** What a command that runs into it would end with. */
  readonly error?: unknown;
}

export function ok(what: string, detail: string): Finding {
  return { state: "ok", what, detail };
}

export function warning(what: string, detail: string, remedy?: string): Finding {
  return { state: "warning", what, detail, remedy };
}

export function wrong(what: string, error: unknown, remedy?: string): Finding {
  return { state: "wrong", what, detail: (error as Error).message, remedy, error };
}

/** What `look` finds; what stops it is found too. */
export async function looked(
  what: string,
  look: () => Finding | Promise<Finding>,
  remedy?: string,
): Promise<Finding> {
  try {
    return await look();
  } catch (error) {
    return wrong(what, error, remedy);
  }
}
