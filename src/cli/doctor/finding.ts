/** A check of the doctor, with its result. */

export interface Finding {
  readonly state: "ok" | "warning" | "wrong";
  readonly what: string;
  /** Result in a sentence or a few words, without secrets. */
  readonly detail: string;
  /** Suggested fix. */
  readonly remedy?: string | undefined;
  /** The error with which a command would fail on the finding. */
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

/** Returns the findings of `look`; an error becomes a finding too. */
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
