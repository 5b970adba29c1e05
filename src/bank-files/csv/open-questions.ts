/** What a file leaves open: all of it is asked at once. */
import { BankFileError, type Question } from "../bank-statement.ts";

export class Questions {
  readonly #asked: Question[] = [];

  /**
   * @param sentence  says what is in doubt; the words of the answers are put behind it
   * @param choices   words of a command line, one an answer
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

  /** @throws BankFileError `Ambiguous` where anything was asked */
  refuse(): void {
    const [first, ...others] = this.#asked;
    if (first === undefined) return;
    const more = others.map(({ message }) => ` ${message}`).join("");
    throw new BankFileError("Ambiguous", `${first.message}${more}`, undefined, this.#asked);
  }
}
