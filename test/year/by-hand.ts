/** Reconciling a month by hand, on a real terminal, as `acct bank reconcile` asks for each line. */
import { enter, shellOn } from "../shell/conversation.ts";
import { deskIn } from "../shell/desk.ts";
import type { ByHand } from "./month.ts";
import { inUnits, type Line } from "./plan.ts";

/** A beginning of a question, what is typed, and what the screen then shows before Enter. */
type Answer = readonly [question: string, typed?: string, shown?: string];

/** What a person answers for a line, by what `acct bank match` would be told. */
function answersFor({ by, amount: moved }: Line): readonly Answer[] {
  if (typeof by === "string") return [["What is it?"]];
  const flags = new Map<string, string[]>();
  for (let at = 0; at < by.length; at += 2) {
    flags.set(by[at] ?? "", [...(flags.get(by[at] ?? "") ?? []), by[at + 1] ?? ""]);
  }
  const [fee] = flags.get("--fee") ?? [];
  const documents = (flags.get("--invoice") ?? []).map((each) => each.split("=")[0] ?? "");
  const shares = (flags.get("--account") ?? []).map((each) => each.split(/[:=]/));
  if (shares.length > 0) {
    const [[rest = ""] = [], [part = "", , amount = ""] = []] = shares;
    return [
      ["What is it?", "Money spent, on several", "❯ Money spent, on several"],
      ["Which account?", part, `❯ ${part}`],
      ["How much of", amount, amount],
      ["And which account", rest, `❯ ${rest}`],
      ["How much of"],
      ["To whom?", flags.get("--contact")?.[0], `❯ ${flags.get("--contact")?.[0]}`],
    ];
  }
  if (fee !== undefined) {
    const [kept = "", account = ""] = fee.split("=");
    return [
      ["What is it?", documents[0], `❯ ${documents[0]}`],
      [`Where does the difference of ${kept} go?`, account, `❯ ${account}`],
    ];
  }
  const isPart = documents.length === 1 && (flags.get("--invoice")?.[0] ?? "").includes("=");
  const [first = "", ...others] = documents;
  return [
    ["What is it?", "Another", "❯ Another"],
    ["Which one?", first, `❯ ${first}`],
    ...others.map((each): Answer => ["And which one", each, `❯ ${each}`]),
    ...(isPart && moved > 0 ? ([[`The line is`, "It pays", "❯ It pays a part"]] as const) : []),
  ];
}

/** Explains every line of the business account, one after the other. */
export const byHand: ByHand = async (year, month) => {
  const { keeper, plan } = year;
  const desk = deskIn(keeper.home, keeper.book);
  const lines = await year.open("090");
  const terminal = await shellOn(desk, { rows: 60 });
  enter(terminal, "clear; acct bank reconcile 090 >/dev/null; echo exit=$?");
  for (const [at, { Date: date, Amount, Description }] of lines.entries()) {
    const line = plan
      .linesOf("090", month)
      .find(
        (each) =>
          each.date === date &&
          inUnits(each.amount) === Amount.toFixed(2) &&
          Description.includes(each.text),
      );
    if (line === undefined) throw new Error(`No line of ${date} is ${Description}`);
    const isExchange = line.text === "FROM 12-3456-7890123-97";
    const answers: readonly Answer[] = isExchange
      ? [
          ["What is it?", "a transfer", "❯ a transfer between own accounts"],
          ["How much left Dollar Account", "600.00", "600.00"],
        ]
      : answersFor(line);
    // The question of the line, and none of one before, is on the screen.
    const head = `${at + 1} of ${lines.length}   ${date}`;
    await terminal.waitFor(new RegExp(`^${head}[\\s\\S]*\\? What is it\\?`, "m"));
    for (const [question, typed = "", shown] of answers) {
      await terminal.waitFor(`? ${question}`);
      if (typed !== "") terminal.type(typed);
      if (shown !== undefined) await terminal.waitFor(shown);
      terminal.press("Enter");
    }
  }
  const screen = await terminal.waitFor("exit=0");
  if (!screen.includes("Every line of 090 Business Account is explained.")) throw new Error(screen);
};
