import { homedir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { type DebugLog, NO_LOG, openDebugLog } from "../app/effects/debug-log.ts";
import { marksPath, openMarksFile } from "../app/effects/marks-file.ts";
import { type PiCommand, readPiCommand } from "../app/effects/pi-command.ts";
import { readKeymap } from "../app/effects/read-keybindings.ts";
import { readPiSettings } from "../app/effects/read-pi-settings.ts";
import { readPiTheme } from "../app/effects/read-pi-theme.ts";
import { openSavedFile, savedPath } from "../app/effects/saved-file.ts";
import { createStoreClient } from "../app/effects/store-client.ts";
import { isInTmux } from "../app/effects/tmux-window.ts";
import { canBringBack } from "../app/effects/undoable.ts";
import { journalPath, openJournal } from "../app/journal/journal.ts";
import { createProgram } from "../app/program.ts";
import { shortenHome } from "../app/text/format.ts";
import { treeFilterSetting } from "../app/tree/tree-filter-setting.ts";
import { openCatalog } from "../catalog/catalog.ts";
import { archiveOf } from "../catalog/model/archive.ts";
import { defaultCacheDir } from "../catalog/model/cache-dir.ts";
import { findSessionRoots, rootOf, type SessionRoots } from "../catalog/model/session-roots.ts";
import { defaultStateDir } from "../catalog/model/state-dir.ts";
import { explain } from "../store/files/store-error.ts";
import { watchExit } from "../terminal/exit-signals.ts";
import { openKeyboard, readTypedAhead } from "../terminal/keyboard.ts";
import { createDemo, type Demo, hasSessions } from "./demo.ts";
import { EXIT } from "./exit-code.ts";
import { findSession } from "./find-session.ts";
import { finish, noteStart } from "./finish.ts";
import type { Given } from "./given.ts";
import { keepHeapsSmall } from "./heap-flags.ts";
import { createLiveTheme } from "./live-theme.ts";
import { noteMistake } from "./mistake.ts";
import { mount } from "./mount.tsx";
import { note } from "./output.ts";
import { repositoryOf } from "./repository.ts";
import { runInTerminal } from "./run-in-terminal.ts";

/** What the person asked for, and where: everything that the browser starts with. */
interface LaunchContext {
	readonly given: Given;
	readonly env: Readonly<Record<string, string | undefined>>;
	readonly home: string;
	readonly cwd: string;
	/** The person's own, or the demo's. */
	readonly sessionRoots: SessionRoots;
	readonly demo: boolean;
	/** The directory that has no sessions, when the demo is shown for that reason. */
	readonly empty?: string | undefined;
}

/** Readers and watchers get this long to end. */
const CLOSING_MS = 2000;

/** How the browser ended. */
interface BrowserEnd {
	readonly code: number;
	/** A thread has not ended; it may wait for a disk that does not answer. */
	readonly isStuck: boolean;
}

/** Opens the browser in this terminal; returns the exit code once the terminal is as it was. */
export async function browse(given: Given): Promise<BrowserEnd> {
	if (!process.stdin.isTTY || !process.stdout.isTTY) {
		const stream = process.stdin.isTTY ? "output" : "input";
		note(`the browser needs a terminal, and its ${stream} is not one. Without a terminal, use: pi-grove list`);
		return { code: 1, isStuck: false };
	}
	const place = { env: process.env, home: homedir(), cwd: process.cwd() };
	const sessionRoots = await findSessionRoots({ ...place, sessionDirFlag: given.sessionDir });
	const own: LaunchContext = { given, ...place, sessionRoots, demo: false };
	const empty = given.demo || given.words.length > 0 ? undefined : await emptyRoot(own);
	if (!given.demo && empty === undefined) return browseIn(own);

	const demo = await makeDemo();
	if (typeof demo === "string") {
		if (!given.demo) return browseIn(own);
		note(demo);
		return { code: 1, isStuck: false };
	}
	try {
		const env = {
			...process.env,
			PI_CODING_AGENT_DIR: demo.agentDir,
			PI_CODING_AGENT_SESSION_DIR: undefined,
			XDG_CACHE_HOME: join(demo.home, ".cache"),
			XDG_STATE_HOME: join(demo.home, ".state"),
		};
		// The trash package asks the process itself; what is deleted in the demo must not go to the person's own trash (on Linux).
		process.env.XDG_DATA_HOME = join(demo.home, ".data");
		return await browseIn({
			given,
			env,
			home: demo.home,
			cwd: demo.cwd,
			sessionRoots: await findSessionRoots({ env, cwd: demo.cwd, home: demo.home }),
			demo: true,
			empty: empty && shortenHome(empty, own.home),
		});
	} finally {
		await demo.remove();
	}
}

/** The demo; why there is none when it cannot be copied. */
async function makeDemo(): Promise<Demo | string> {
	try {
		return await createDemo(Date.now());
	} catch (error) {
		return `cannot copy the demo to a temporary folder: ${explain(error)}. TMPDIR says where that is.`;
	}
}

/**
 * Pi's own directory of sessions, if there are none to show. One that the person chose is shown even if it is empty, and so
 * is one whose last sessions were deleted from here: an undo brings them back.
 */
async function emptyRoot({ env, home, sessionRoots }: LaunchContext): Promise<string | undefined> {
	const { kind } = sessionRoots;
	if (kind !== "default" || [sessionRoots.root, archiveOf(sessionRoots)].some(hasSessions)) return undefined;
	const store = createStoreClient();
	try {
		const journal = openJournal({ path: journalPath(env, home), root: sessionRoots.root });
		return (await canBringBack(journal, {
			store,
			marks: openMarksFile(marksPath(env, home)),
			saved: openSavedFile(savedPath(env, home)),
		}))
			? undefined
			: sessionRoots.root;
	} finally {
		await store.close();
	}
}

async function browseIn(context: LaunchContext): Promise<BrowserEnd> {
	const { given, env, home, cwd } = context;
	const pi = await piOf(context);
	if ("mistake" in pi) {
		note(pi.mistake);
		return { code: EXIT.failed, isStuck: false };
	}
	const [open] = given.words;
	const found = open === undefined ? undefined : findSession(open, context.sessionRoots, cwd);
	if (found !== undefined && "mistake" in found) {
		noteMistake(found);
		return { code: EXIT.failed, isStuck: false };
	}
	const sessionRoots =
		found?.sessionDir === undefined
			? context.sessionRoots
			: await findSessionRoots({ sessionDirFlag: found.sessionDir, env, cwd, home });
	const stateDir = defaultStateDir(env, home);
	const catalog = openCatalog({
		sessionRoots,
		cacheDir: defaultCacheDir(env, home),
		stateDir,
		screenFirst: true,
	});
	const { keymap, problems } = readKeymap(sessionRoots.agentDir);
	const watch = watchExit();
	const settings = readPiSettings(cwd, sessionRoots.agentDir);
	const piTheme = readPiTheme(settings);
	const program = createProgram({
		environment: {
			home,
			cwd,
			repo: repositoryOf(cwd),
			tmux: isInTmux(env),
			demo: context.demo,
			keymap,
			treeFilter: treeFilterSetting(settings.map(({ fields }) => fields)),
			problems: [...problems, ...piTheme.problems],
			root: rootOf(sessionRoots),
			open: found?.path,
			empty: context.empty,
		},
		size: { columns: process.stdout.columns, rows: process.stdout.rows },
		catalog,
		env,
		pi,
		leavesForPi: given.leave === true || isSet(env.PI_GROVE_LEAVE),
		sessionRoots,
		clock: Date.now,
		writeTerminal: (text) => process.stdout.write(text),
		noteUse: (path, pid) => noteStart(stateDir, path, pid),
		runForeground: (outside) => runInTerminal(outside, watch, stateDir),
		log: debugLog(env),
	});
	const theme = createLiveTheme(process.env, piTheme.choice);
	// Asked before the wait, so that most terminals have told their colors before the first frame.
	const keyboard = openKeyboard(
		process.stdin,
		(text) => process.stdout.write(text),
		readTypedAhead(),
		{
			text: theme.questions,
			onAnswer: theme.answered,
		},
		given.noMouse !== true && !isSet(env.PI_GROVE_NO_MOUSE),
	);
	// Takes a few milliseconds; then the first frame shows the stored list.
	await catalog.stored();
	// A failing catalog reports that itself.
	catalog.listed().then(
		() => keepHeapsSmall(program),
		() => undefined,
	);
	const end = await mount({ program, keyboard, theme, ending: watch.exit });
	// Noted as in use already while this browser closes, so that no other one deletes the session before pi has started.
	const onLeft = "kind" in end && end.kind === "resume" ? noteStart(stateDir, end.path, process.pid) : undefined;
	let isStuck = true;
	const closed = program.close().then(() => {
		isStuck = false;
	});
	await Promise.race([closed, delay(CLOSING_MS)]);
	watch.stop();
	const code = await finish(end, stateDir, onLeft);
	// What was slow to close has had all the time in which pi ran: its exit code is not given up for that.
	return { code, isStuck };
}

/** What the person calls pi, or what is wrong with that. */
async function piOf({ given, env }: LaunchContext): Promise<PiCommand | { readonly mistake: string }> {
	const text = given.pi ?? (isSet(env.PI_GROVE_PI) ? env.PI_GROVE_PI : undefined) ?? "pi";
	const pi = await readPiCommand(text, env);
	if (!("mistake" in pi)) return pi;
	return { mistake: `cannot use ${given.pi === undefined ? "PI_GROVE_PI" : "--pi"} "${text}": ${pi.mistake}` };
}

/** Whether a variable of the environment says something. */
function isSet(value: string | undefined): boolean {
	return value !== undefined && value !== "";
}

/** The debug log that the environment asks for; one that cannot be written is reported, and left out. */
function debugLog(env: LaunchContext["env"]): DebugLog {
	try {
		return openDebugLog(env);
	} catch (error) {
		note(`cannot write the log of PI_GROVE_LOG: ${error instanceof Error ? error.message : String(error)}`);
		return NO_LOG;
	}
}
