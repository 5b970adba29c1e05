/** Collects every fault of a record before it is refused. */
import { RefusedError } from "../../resources/errors.ts";

export class Faults {
  readonly messages: string[] = [];

  add(message: string): void {
    if (!this.messages.includes(message)) this.messages.push(message);
  }

  /** Runs `work`; a refusal in it becomes a fault, anything else goes on up. */
  collect<T>(work: () => T): T | undefined {
    try {
      return work();
    } catch (error) {
      if (!(error instanceof RefusedError)) throw error;
      for (const message of messagesOf(error)) this.add(message);
      return undefined;
    }
  }

  /** @throws RefusedError with all messages, when there are any */
  check(): void {
    if (this.messages.length > 0) throw refusal(this.messages);
  }
}

export function refusal(messages: readonly string[]): RefusedError {
  return new RefusedError(
    "ValidationException",
    messages[0] ?? "",
    messages.map((message) => ({ message })),
  );
}

/** The sentences of a refusal: its details, or its own message where it has none. */
export function messagesOf(error: RefusedError): readonly string[] {
  return error.details.length > 0 ? error.details.map((each) => each.message) : [error.message];
}
