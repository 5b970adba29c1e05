/** Collects the open questions about a file, to be asked all at once. */
import { BankFileError, type Question } from "../bank-statement.ts";

export class Questions {
  readonly #asked: Question[] = [];

  /**
   * Adds a question.
   *
   * @param sentence  describes the ambiguity; the possible answers are appended
   * @param choices   flags of a command line, one for each answer
   */
  ask(
    flag: string,
    sentence: string,
    choices: readonly string[],
    place: Pick<Question, "example" | "row"> = {},
  ): void {
    if (this.#asked.some((each) => each.flag === flag && each.question === sentence)) return;
    const words = choices.slice(0, 6).join(choices.length === 2 ? " or " : ", ");
    const message = `${sentence} ${words === "" ? flag : words} settles it.`;
    this.#asked.push({ message, question: sentence, flag, choices, ...place });
  }

  get isOpen(): boolean {
    return this.#asked.length > 0;
  }

  /** Refuses the file if there are questions. @throws BankFileError `Ambiguous` */
  refuse(): void {
    const [first, ...others] = this.#asked;
    if (first === undefined) return;
    const more = others.map(({ message }) => ` ${message}`).join("");
    throw new BankFileError("Ambiguous", `${first.message}${more}`, undefined, this.#asked);
  }
}
