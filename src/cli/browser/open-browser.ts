import { setTimeout as delay } from "node:timers/promises";
import { createProgram } from "../../app/core/program.ts";
import type { HostPort } from "../../app/features/sessions/effects/host-port.ts";
import { isInTmux } from "../../app/features/sessions/effects/tmux-window.ts";
import { treeFilterSetting } from "../../app/features/tree/tree-filter-setting.ts";
import { type DebugLog, NO_LOG, openDebugLog } from "../../app/world/effects/debug-log.ts";
import type { HostInfo, OpenInHost } from "../../app/world/state/choice.ts";
import type { Host } from "../../app/world/state/host.ts";
import type { State } from "../../app/world/state/state.ts";
import { openCatalog } from "../../catalog/catalog.ts";
import { defaultCacheDir } from "../../catalog/model/cache-dir.ts";
import { findSessionRoots, rootOf, type SessionRoots } from "../../catalog/model/session-roots.ts";
import { defaultStateDir } from "../../catalog/model/state-dir.ts";
import { SIGNAL_CODES, watchExit } from "../../terminal/exit-signals.ts";
import { openKeyboard, readTypedAhead } from "../../terminal/keyboard.ts";
import type { Terminal } from "../../terminal/terminal.ts";
import { terminalSize } from "../../terminal/terminal-size.ts";
import { parsePiTheme } from "../../ui/theme/pi-theme.ts";
import type { Given } from "../arguments/given.ts";
import { findSession } from "../find/find-session.ts";
import { newestIn } from "../find/find-target.ts";
import { keepHeapsSmall } from "../find/heap-flags.ts";
import { repositoryOf } from "../find/repository.ts";
import { EXIT } from "../print/exit-code.ts";
import { noteMistake } from "../print/mistake.ts";
import { note } from "../print/output.ts";
import { choosePi, isSet } from "./choose-pi.ts";
import type { Chooser } from "./chooser.ts";
import { finish, noteStart } from "./finish.ts";
import type { HostLink } from "./host-link.ts";
import { leave } from "./leave.ts";
import { createLiveTheme } from "./live-theme.ts";
import { mount } from "./mount.tsx";
import { readKeymap } from "./read-keybindings.ts";
import type { PiSettings } from "./read-pi-settings.ts";
import { readPiSettings } from "./read-pi-settings.ts";
import { type ReadTheme, readPiTheme } from "./read-pi-theme.ts";
import { runInTerminal } from "./run-in-terminal.ts";

/** What the person asked for, and where: everything that the browser starts with. */
export interface LaunchContext {
	readonly given: Given;
	readonly env: Readonly<Record<string, string | undefined>>;
	readonly home: string;
	readonly cwd: string;
	/** The person's own, or the demo's. */
	readonly sessionRoots: SessionRoots;
	readonly demo: boolean;
	/** The directory that has no sessions, when the demo is shown for that reason. */
	readonly empty?: string | undefined;
	readonly terminal: Terminal;
	/** Who waits for a choice; without one, pi is started with what is chosen. */
	readonly chooser?: Chooser | undefined;
	/** How the list begins. */
	readonly start?: Pick<State["environment"], "query" | "project" | "namedOnly">;
}

/** Readers and watchers get this long to end. */
const CLOSING_MS = 2000;
/** How long after that a thread counts as slow, as on a busy machine, and not as stuck, in milliseconds. */
const STUCK_MS = 4000;

/** The exit code when the pi that started us has ended, as when a terminal is lost. */
const GONE = 129;

/** How the browser ended. */
export interface BrowserEnd {
	readonly code: number;
	/** A thread has not ended; it may wait for a disk that does not answer. */
	readonly isStuck: boolean;
}

/** Opens the browser; returns the exit code once the terminal is as it was. */
export async function openBrowser(context: LaunchContext): Promise<BrowserEnd> {
	const { given, env, home, cwd, terminal, chooser } = context;
	const { input, output } = terminal;
	// Who waits for a choice has a pi already.
	const pi = chooser === undefined ? await choosePi(given.pi, env) : { program: "pi", args: [] };
	if ("mistake" in pi) {
		note(pi.mistake);
		return { code: EXIT.failed, isStuck: false };
	}
	const [open] = chooser?.picks === undefined ? given.words : [];
	const found =
		open === "."
			? await newestIn(cwd, { cwd, env, home, sessionDir: given.sessionDir })
			: open === undefined
				? undefined
				: findSession(open, context.sessionRoots, cwd);
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
	const watch = watchExit(terminal);
	const link = chooser?.link;
	void link?.gone.then(() => watch.end({ code: GONE }));
	const settings = readPiSettings(cwd, sessionRoots.agentDir);
	const piTheme = themeFor(link?.info.theme, settings);
	const size = terminalSize(output);
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
			picks: chooser?.picks,
			host: link && listedHost(link, sessionRoots),
			...context.start,
		},
		size,
		catalog,
		env,
		pi,
		...(link && { host: hostPort(link, sessionRoots) }),
		leavesForPi: given.leave === true || isSet(env.PI_GROVE_LEAVE),
		sessionRoots,
		clock: Date.now,
		writeTerminal: (text) => output.write(text),
		noteUse: (path, pid) => noteStart(stateDir, path, pid),
		runForeground: (outside) => runInTerminal(outside, { terminal, watch, stateDir }),
		log: debugLog(env),
	});
	if (size.isAssumed) program.dispatch({ type: "resize", ...size });
	const theme = createLiveTheme(process.env, piTheme.choice);
	// Asked before the wait, so that most terminals have told their colors before the first frame.
	const keyboard = openKeyboard(
		input,
		(text) => output.write(text),
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
	const end = await mount({ program, terminal, keyboard, theme, ending: watch.exit });
	// Noted as in use already while this browser closes, so that no other one deletes the session before pi has started.
	const onLeft = "kind" in end && end.kind === "resume" ? noteStart(stateDir, end.path, process.pid) : undefined;
	let isStuck = true;
	const closed = program.close().then(() => {
		isStuck = false;
	});
	await Promise.race([closed, delay(CLOSING_MS)]);
	const leaveOnSignal = (): void => {
		for (const [signal, code] of SIGNAL_CODES) process.on(signal, () => leave(code, isStuck));
	};
	// Ctrl+c may be pressed once more than needed. While pi has the terminal it is for pi.
	const startsPi = "kind" in end && end.kind === "resume";
	if (!startsPi) leaveOnSignal();
	watch.stop();
	const code = await finish(end, { terminal, stateDir, chooser, onLeft });
	if (startsPi) leaveOnSignal();
	terminal.close();
	// The terminal is the person's again, and ctrl+c ends what is left. An exit code is not given up for a slow machine.
	if (isStuck) await Promise.race([closed, delay(STUCK_MS)]);
	return { code, isStuck };
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

/** What pi has said of itself at the start, with the path of its session as the list has it. */
function listedHost({ info }: HostLink, roots: SessionRoots): Host {
	const { pi, open, busy } = info;
	return { pi, busy, open: listed(open, roots), pid: process.ppid, toldMs: Date.now() };
}

/** The link, with the path of pi's session as the list has it. */
function hostPort(link: HostLink, roots: SessionRoots): HostPort {
	return {
		change: link.change,
		listen: (listener) =>
			link.listen(({ open, busy }) => listener({ busy, open: listed(open, roots), toldMs: Date.now() })),
	};
}

function listed(open: OpenInHost, roots: SessionRoots): OpenInHost {
	if (open.path === undefined) return open;
	const found = findSession(open.path, roots, open.cwd);
	return "path" in found ? { ...open, path: found.path } : open;
}

/** The colors that the pi which started us has told, else those that its settings name. */
function themeFor(told: HostInfo["theme"], settings: readonly PiSettings[]): ReadTheme {
	if (told === undefined) return readPiTheme(settings);
	const { palette } = parsePiTheme(JSON.stringify(told));
	return { choice: { dark: told.appearance === "dark", onDark: palette, onLight: palette }, problems: [] };
}
