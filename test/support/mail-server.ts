/** A mail server of the least kind. */
import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { onTestFinished } from "vitest";

export interface MailServer {
  /** `smtp://127.0.0.1:…` */
  readonly url: string;
  /** What clients sent, in the pieces in which it came. */
  readonly said: readonly string[];
  /** Messages that it has taken. */
  messages: number;
}

/** @param refusing  says no to every recipient */
export async function mailServer({ refusing = false } = {}): Promise<MailServer> {
  const said: string[] = [];
  const server = createServer((socket) => {
    let inData = false;
    let end = "";
    socket.write("220 test\r\n");
    socket.on("data", (bytes) => {
      const text = bytes.toString();
      said.push(text);
      if (inData) {
        end = (end + text).slice(-5);
        if (end !== "\r\n.\r\n") return;
        inData = false;
        taken.messages += 1;
        socket.write("250 taken\r\n");
      } else if (text.startsWith("DATA")) {
        inData = true;
        socket.write("354 go on\r\n");
      } else if (text.startsWith("RCPT") && refusing) socket.write("550 no\r\n");
      else if (text.startsWith("QUIT")) socket.end("221 bye\r\n");
      else socket.write("250 ok\r\n");
    });
    socket.on("error", () => socket.destroy());
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  const url = `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const taken: MailServer = { url, said, messages: 0 };
  return taken;
}
