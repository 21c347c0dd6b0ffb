import { appendFileSync, mkdirSync } from "node:fs";
import { dirname } from "node:path";
import { onTestFinished, test } from "vitest";
import { familyFiles } from "../support/family.ts";
import { Sandbox } from "../support/sandbox.ts";

/** Less than the comparison that finds everything in the end. */
const SOON_MS = 20_000;

test("runs that start, work, start runs and end while the browser watches are shown, each as it stands", async () => {
	const sandbox = new Sandbox();
	onTestFinished(() => sandbox.remove());
	const [parent, lead, reader] = familyFiles("nested")
		.filter(({ path }) => !path.includes("subagent-artifacts"))
		.map(({ path, text }) => {
			const at = (one: string): string => one.replaceAll("/home/dev/.pi/agent", sandbox.agentDir);
			return new Written(at(path), at(text));
		});
	if (parent === undefined || lead === undefined || reader === undefined) throw new Error("the family is incomplete");
	parent.write("user");
	const terminal = sandbox.start([], { columns: 160, rows: 24 });
	const shows = (what: string, ...expected: readonly RegExp[]) =>
		terminal
			.waitFor((screen) => expected.every((one) => one.test(listIn(screen))), SOON_MS)
			.catch((error: unknown) => {
				throw new Error(`${what}: ${String(error)}`);
			});
	await shows("the session", /Find out how things are stored/);

	parent.write("assistant");
	await shows("a call", /stored\. ⧉1 ●1/);
	lead.write("user");
	await shows("the session of its run", /1 session · 1 run /);
	terminal.press("alt+right");
	await shows("its run", /stored\. ⧉1 ●1/, /⧉ lead {2}Explore the storage {2}● running/);

	lead.write("assistant");
	reader.write("user");
	await shows("a run of the run", /stored\. ⧉2 ●2/, /Explore the storage ⧉1 ●1/);
	reader.write("assistant");
	lead.writeAll();
	await shows("the end of that", /stored\. ⧉2 ●1/, /Explore the storage ⧉1 {2}● running/);

	parent.writeAll();
	await shows("the end", /stored\. ⧉2 {3}/, /Explore the storage ⧉1 {2}✓ /);
});

/** The list, which is on the left. */
function listIn(screen: string): string {
	return screen
		.split("\n")
		.map((row) => row.split("│")[0] ?? "")
		.join("\n");
}

/** A session file that is written line by line, as pi does. */
class Written {
	readonly path: string;
	readonly #lines: string[];

	constructor(path: string, text: string) {
		this.path = path;
		this.#lines = text.trimEnd().split("\n");
	}

	/** Writes up to the next message of this role. */
	write(role: string): void {
		const end = this.#lines.findIndex((line) => line.includes(`"role":"${role}"`)) + 1;
		this.#append(this.#lines.splice(0, end));
	}

	writeAll(): void {
		this.#append(this.#lines.splice(0));
	}

	#append(lines: readonly string[]): void {
		mkdirSync(dirname(this.path), { recursive: true });
		for (const line of lines) appendFileSync(this.path, `${line}\n`);
	}
}
