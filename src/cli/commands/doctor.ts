/** `acct doctor`: checks configuration, connections, permissions and the book for problems. */
import { command } from "../framework/command.ts";

export const doctorCommand = command(
  "doctor",
  "what is configured, reachable, permitted, and what is wrong",
)
  .switch("verify", "look over the whole book, as acct book verify does")
  .note(
    "A line for each thing that a command stands on, beginning with ok, warning or wrong; for what " +
      "is wrong it says what to do. Nothing is mended, and no secret is shown. A sign-in whose " +
      "token has expired is renewed, as any command would.",
  )
  .note(
    "Exits 0 where nothing is wrong, and else with what a command would end with that runs into the " +
      "first thing that is: 2 for the configuration or a book that is not there, 3 for an " +
      "organisation that is not there, 4 where nobody is signed in or something is not permitted, " +
      "5 for a book that is damaged or does not add up, 6 for what cannot be reached, 1 for the rest.",
  )
  .example("acct doctor")
  .example("acct doctor --profile quay -o json")
  .answers("value")
  .action(async (ctx, options) => (await import("../doctor/doctor.ts")).runDoctor(ctx, options));
