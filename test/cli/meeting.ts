/** A machine, and a service to sign in to from it. */
import { Authority } from "./authority.ts";
import { Machine } from "./signed-in.ts";

export interface Meeting {
  readonly authority: Authority;
  /** Nobody is signed in on it yet. */
  readonly machine: Machine;
  close(): Promise<void>;
}

/** Both are new, and gone when it is closed. */
export async function newMeeting(): Promise<Meeting> {
  const authority = await new Authority().listen();
  const machine = new Machine();
  return {
    authority,
    machine,
    async close() {
      await authority.close();
      machine.clear();
    },
  };
}
