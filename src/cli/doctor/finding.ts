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

export function ok(subject: string, detail: string): Finding {
  return { state: "ok", what: subject, detail };
}

export function warning(subject: string, detail: string, remedy?: string): Finding {
  return { state: "warning", what: subject, detail, remedy };
}

export function problem(subject: string, error: unknown, remedy?: string): Finding {
  return { state: "wrong", what: subject, detail: (error as Error).message, remedy, error };
}

/** Returns the findings of `look`; an error becomes a finding too. */
export async function runCheck(
  subject: string,
  look: () => Finding | Promise<Finding>,
  remedy?: string,
): Promise<Finding> {
  try {
    return await look();
  } catch (error) {
    return problem(subject, error, remedy);
  }
}
