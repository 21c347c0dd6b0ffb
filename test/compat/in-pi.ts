import { spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { HostInfo } from "../../src/app/world/state/choice.ts";
import { Sandbox, threeSessions } from "../support/sandbox.ts";
import { type TerminalOptions, TestTerminal } from "../support/terminal.ts";
import { ModelServer } from "./model-server.ts";
import { PI_PROGRAM } from "./pi-program.ts";
import { withAnswers } from "./real-pi.ts";

/** What is looked at in an entry. */
interface Entry {
	readonly type: string;
	readonly id: string;
	readonly parentId: string | null;
	readonly name?: string;
	readonly label?: string;
	readonly targetId?: string;
	readonly message?: { readonly role: string; readonly content: unknown; readonly stopReason?: string };
}

/** The package as it is here: `pi -e` takes its folder. */
export const PACKAGE: string = join(import.meta.dirname, "../..");

/** A home directory with sessions and a model, and the pi of this run in a terminal with a package of extensions. */
export class InPi extends Sandbox {
	readonly sessions = threeSessions(this);
	readonly model = new ModelServer();
	#started: TestTerminal | undefined;

	constructor() {
		super();
		for (const path of Object.values(this.sessions)) {
			// Of the model that is there, so that pi says nothing of another one.
			const text = withAnswers(readFileSync(path, "utf8"));
			writeFileSync(path, text.replaceAll('"provider":"none","model":"none"', '"provider":"local","model":"small"'));
			utimesSync(path, 0, 0);
		}
	}

	/** A copy of the package whose browser is `fake-browser.mjs`; returns its folder. */
	fakePackage(): string {
		const folder = this.directory("package");
		cpSync(join(PACKAGE, "extensions"), join(folder, "extensions"), { recursive: true });
		cpSync(join(PACKAGE, "package.json"), join(folder, "package.json"));
		mkdirSync(join(folder, "dist"), { recursive: true });
		writeFileSync(
			join(folder, "dist/cli.js"),
			`import ${JSON.stringify(join(import.meta.dirname, "fake-browser.mjs"))};\n`,
		);
		return folder;
	}

	/** As where the package was not built. */
	takeBrowserAway(): void {
		rmSync(join(this.home, "package/dist"), { recursive: true });
	}

	/**
	 * Starts pi, with this runtime, below some lines of a shell, which writes the exit code and the terminal's modes after it.
	 */
	startPi(args: readonly string[], options: TerminalOptions = {}, runtime = process.execPath): TestTerminal {
		// The shell that a person has is not in pi's group of processes, and gets no ctrl+c of it.
		const script =
			'trap : INT; echo $$ >"$HOME/shell"; seq -f "shell line %g" 60; "$@"; echo "pi ended with $?"; stty -a | tr ";" "\\n" | grep icanon';
		this.#started = new TestTerminal("sh", ["-c", script, "sh", runtime, PI_PROGRAM, ...args], {
			cwd: this.directory("work/api"),
			...options,
			env: { ...this.env, PI_OFFLINE: "1", PI_SKIP_VERSION_CHECK: "1", ...options.env },
		});
		return this.#started;
	}

	/** The process of pi. */
	get piPid(): number {
		const shell = readFileSync(join(this.home, "shell"), "utf8").trim();
		return Number(spawnSync("pgrep", ["-P", shell], { encoding: "utf8" }).stdout.trim());
	}

	/** What the fake browser is to send. */
	plan(name: "choice" | "request", content: object): void {
		writeFileSync(join(this.home, `${name}.json`), JSON.stringify(content));
	}

	/** How the fake browser was started last. */
	started(): { readonly argv: readonly string[]; readonly host: HostInfo } {
		return JSON.parse(readFileSync(join(this.home, "started.json"), "utf8"));
	}

	/** Whether the fake browser has started since this was asked before. */
	hasStarted(): boolean {
		const has = existsSync(join(this.home, "started.json"));
		if (has) rmSync(join(this.home, "started.json"));
		return has;
	}

	/** The entries from the one in which a text is, up to the root. */
	pathOf(path: string, text: string): Entry[] {
		const entries = this.entries(path);
		const found: Entry[] = [];
		let next = entries.find(({ message }) => message !== undefined && JSON.stringify(message).includes(text));
		while (next !== undefined) {
			found.push(next);
			const { parentId } = next;
			next = entries.find(({ id }) => id === parentId);
		}
		return found;
	}

	/** The entries of a session file. */
	entries(path: string): Entry[] {
		return readFileSync(path, "utf8")
			.trim()
			.split("\n")
			.slice(1)
			.map((line) => JSON.parse(line));
	}

	override remove(): void {
		this.#started?.kill();
		this.model.stop();
		super.remove();
	}
}
