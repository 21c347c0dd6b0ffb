import { fstatSync, writeSync } from "node:fs";
import { homedir } from "node:os";
import type { FinalChoice } from "../../app/world/state/choice.ts";
import { checkUseOnce } from "../../catalog/live/live-sessions.ts";
import { defaultStateDir, type SessionRoots } from "../../catalog/model/session-roots.ts";
import { scanFile } from "../../catalog/scan/scan-file.ts";
import { guard } from "../../changes/guard/guard.ts";
import { evidenceWords, stateOfUse } from "../../changes/guard/guard-words.ts";
import { attempt } from "../../shared/attempt.ts";
import { resolve } from "../../shared/paths.ts";
import { explain } from "../../store/files/store-error.ts";
import { controllingTerminal } from "../../terminal/terminal.ts";
import { sanitizeLine } from "../../ui/text/sanitize.ts";
import type { Arguments } from "../arguments/arguments.ts";
import { leave } from "../browser/finish.ts";
import { openBrowser } from "../browser/open-browser.ts";
import { describeSessions } from "../find/session-json.ts";
import { Sessions } from "../find/sessions.ts";
import { jsonText } from "../print/json.ts";
import { EXIT, isRunByAgent, Mistake, note } from "../print/output.ts";

/** The exit code when nothing was chosen: that of a program ended by ctrl+c, as in fzf and pi's own pickers. */
const LEFT = 130;

const STDOUT = 1;

export async function pick(args: Arguments, keepCode: () => void): Promise<number> {
	const { fd = STDOUT, json = false } = args;
	requireChoosable(fd);
	// If the choice goes to another descriptor, stdout can be drawn on.
	const terminal = controllingTerminal(fd !== STDOUT || process.stdout.isTTY);
	if (terminal === undefined)
		throw new Mistake("choosing needs a terminal, and there is none. Without one, use: pi-grove list --json");
	const sessionRoots = await Sessions.of(args).roots();
	let failure: string | undefined;
	let remarks: readonly string[] = [];
	const { code, isStuck } = await openBrowser({
		args,
		env: process.env,
		home: homedir(),
		cwd: process.cwd(),
		sessionRoots,
		demo: false,
		terminal,
		keepCode,
		start: {
			query: [...args.words, ...(args.since === undefined ? [] : [`since:${args.since}`])].join(" "),
			project: args.cwd === undefined ? undefined : resolve(args.cwd),
			namedOnly: args.named,
		},
		chooser: {
			picks: true,
			async choose(choice) {
				failure = await print(choice, args);
				remarks = remarksOn(choice, sessionRoots, json);
			},
			leftCode: LEFT,
		},
	});
	for (const text of remarks) note(text);
	if (failure !== undefined) note(`cannot write the choice: ${failure}`);
	const ended = failure === undefined ? code : EXIT.failed;
	// Do not make the person wait for background work.
	leave(ended, isStuck);
	return ended;
}

/** Remarks about the choice, such as that the session is in use; it is printed anyway. */
function remarksOn(choice: FinalChoice, sessionRoots: SessionRoots, json: boolean): string[] {
	if (choice.action !== "resume") return [];
	const { path, entryId } = choice;
	const stateDir = defaultStateDir();
	const now = Date.now();
	// A pi that only may have it is not mentioned: whatever changes the session will ask about that.
	const { uses } = guard("append", checkUseOnce(stateDir, sessionRoots, [path]), {
		path,
		cwd: "",
		modified: new Date(0),
	});
	return [
		...(entryId === undefined || json
			? []
			: [`the path is that of the session, which pi continues at its end; --json also prints the entry ${entryId}`]),
		...(uses.length === 0 ? [] : [`this session ${stateOfUse(uses)}. ${evidenceWords(uses, now)}`]),
	];
}

/** Throws a `Mistake` if nobody can choose here, or the choice cannot be written. */
function requireChoosable(fd: number): void {
	if (isRunByAgent())
		throw new Mistake(
			"choosing needs a person, and this is run by an agent. Use: pi-grove search --json QUERY, or pi-grove list --json",
		);
	const stats = attempt(() => fstatSync(fd));
	if (stats === undefined)
		throw new Mistake(
			`cannot write the choice to descriptor ${fd}: it is not open. Open it first: pi-grove pick --fd ${fd} ${fd}>FILE`,
		);
	if (!stats.isFile() && !stats.isFIFO() && !stats.isSocket() && !stats.isCharacterDevice())
		throw new Mistake(`cannot write the choice to descriptor ${fd}: it is neither a file nor a pipe`);
}

/** Writes the choice; returns the reason if that fails. */
async function print(choice: FinalChoice, args: Arguments): Promise<string | undefined> {
	if (choice.action !== "resume") return undefined;
	const { fd = STDOUT, json = false } = args;
	const { path, entryId = null } = choice;
	// A program gets the path as it is, a terminal the sanitized one.
	const isShown = fd === STDOUT && process.stdout.isTTY;
	const text = json ? await describedChoice(path, entryId, args) : `${isShown ? sanitizeLine(path) : path}\n`;
	try {
		const bytes = Buffer.from(text);
		for (let at = 0; at < bytes.length; ) at += writeSync(fd, bytes, at);
		return undefined;
	} catch (error) {
		return explain(error);
	}
}

async function describedChoice(path: string, entryId: string | null, args: Arguments): Promise<string> {
	const { row } = scanFile(path);
	return jsonText({ ...(await describeSessions([row], args))(row), entryId });
}
