/*
 * Stands for the browser in tests of the extension alone. It shows on the other screen how it was started and what pi says,
 * and does what the keys say: c sends the choice in $HOME/choice.json and ends, r the request in $HOME/request.json, q and
 * ctrl+c end it, x ends it with an error, k kills it.
 */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { Socket } from "node:net";
import { join } from "node:path";

const home = process.env.HOME;
const host = JSON.parse(process.env.PI_GROVE_HOST);
writeFileSync(join(home, "started.json"), JSON.stringify({ argv: process.argv.slice(2), host }));
const link = new Socket({ fd: host.fd, readable: true, writable: true });
const ANSWERS = /\x1b(?:\[[?>]?[\d;]*[a-zA-Z]|\][^\x07\x1b]*(?:\x07|\x1b\\))/g;
const read = (name) => JSON.parse(readFileSync(join(home, name), "utf8"));
const say = (text) => process.stdout.write(`${text}\r\n`);

// As a browser that takes its time: the keys are still the terminal's, and ctrl+c is a signal.
while (existsSync(join(home, "wait"))) await new Promise((resolve) => setTimeout(resolve, 20));

process.stdin.setRawMode(true);
process.stdout.write("\x1b[?1049h\x1b[2J\x1b[H\x1b[?1000h\x1b[?2004h");
say("BROWSER");
say(`busy ${host.busy}`);
link.setEncoding("utf8").on("data", (lines) => {
	for (const line of lines.trim().split("\n")) say(line.slice(0, 100));
});
link.on("end", () => end(0));

function end(code) {
	process.stdout.write("\x1b[?1000l\x1b[?2004l\x1b[?1049l");
	process.stdin.setRawMode(false);
	process.exit(code);
}

process.stdin.setEncoding("utf8").on("data", (keys) => {
	// The terminal may still be answering pi.
	for (const key of keys.replaceAll(ANSWERS, "")) {
		if (key === "q" || key === "\x03") end(0);
		if (key === "r") link.write(`${JSON.stringify(read("request.json"))}\n`);
		if (key === "c") link.write(`${JSON.stringify({ choice: read("choice.json") })}\n`, () => end(0));
		if (key === "k") process.kill(process.pid, "SIGKILL");
		if (key === "x") {
			process.stderr.write("pi-grove: something is in the way\n");
			end(2);
		}
	}
});
