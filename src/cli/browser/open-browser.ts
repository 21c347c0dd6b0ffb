import { existsSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import { ownCommandsPath, readKeymap, readOwnCommands } from "../../app/core/effects/read-keymap.ts";
import { createProgram, lastOpenedBy, type Program } from "../../app/core/program.ts";
import { selectColors } from "../../app/core/screen/select-screen.ts";
import { type DebugLog, NO_LOG, openDebugLog } from "../../app/world/effects/debug-log.ts";
import type { HostPort } from "../../app/world/effects/host-store.ts";
import { createPrivateDirectory } from "../../app/world/effects/temporary-directory.ts";
import type { Host } from "../../app/world/state/catalog-state.ts";
import type { HostInfo, OpenInHost } from "../../app/world/state/choice.ts";
import type { Outcome } from "../../app/world/state/effect.ts";
import type { State } from "../../app/world/state/state.ts";
import { openCatalog } from "../../catalog/catalog.ts";
import { defaultCacheDir, defaultStateDir, rootOf, type SessionRoots } from "../../catalog/model/session-roots.ts";
import { AllPlaces } from "../../catalog/places/all-places.ts";
import { NO_PLACES, placesPath, readPlaces } from "../../catalog/places/places-file.ts";
import { treeFilterSetting } from "../../conversation/tree/shown-entries.ts";
import { attempt, messageOf } from "../../shared/attempt.ts";
import { dirname, join, resolvePath } from "../../shared/paths.ts";
import type { Env } from "../../shared/system.ts";
import { isTrashClosed } from "../../store/actions/trash-places.ts";
import { watchFile } from "../../store/files/watch-file.ts";
import { type Exit, type ExitWatch, SIGNAL_CODES, watchExit } from "../../terminal/exit-signals.ts";
import type { FramePainter } from "../../terminal/frame-painter.ts";
import { drawFrame } from "../../terminal/frame-stream.ts";
import { openKeyboard, readTypedAhead } from "../../terminal/keyboard.ts";
import { printFrame, readFrame } from "../../terminal/plain-frames.ts";
import { isDumb, type Terminal, terminalSize, withoutEscapes } from "../../terminal/terminal.ts";
import { parsePiTheme } from "../../ui/theme/pi-theme.ts";
import type { Arguments } from "../arguments/arguments.ts";
import { findFile } from "../find/find-session.ts";
import { Sessions } from "../find/sessions.ts";
import { note } from "../print/output.ts";
import { type Chooser, finish, leave, noteStart } from "./finish.ts";
import type { HostLink } from "./host-link.ts";
import { createLiveTheme } from "./live-theme.ts";
import { mount } from "./mount.tsx";
import { lastOpened, readOpening } from "./opening.ts";
import { type PiSettings, type ReadTheme, readPiSettings, readPiTheme } from "./read-pi-settings.ts";
import { runInTerminal } from "./run-in-terminal.ts";
import { choosePi, downloadsDirectory, isSet } from "./surroundings.ts";

/** Everything that the browser starts with: what the person asked for, and where. */
export interface LaunchContext {
	readonly args: Arguments;
	readonly env: Env;
	readonly home: string;
	readonly cwd: string;
	/** The person's, or the demo's. */
	readonly sessionRoots: SessionRoots;
	readonly demo: boolean;
	/** The empty session directory, if that is why the demo is shown. */
	readonly empty?: string | undefined;
	readonly terminal: Terminal;
	/** Receives the choice; without one, pi is started with the chosen session. */
	readonly chooser?: Chooser | undefined;
	/** Keeps the compiled code for the next start; called when the list is complete. */
	readonly keepCode: () => void;
	/** The initial filters of the list. */
	readonly start?: Pick<State["environment"], "query" | "project" | "namedOnly">;
}

/** How long readers and watchers get to end. */
const CLOSING_MS = 2000;
/** How much longer a thread may take before it counts as stuck: on a busy machine it may only be slow. */
const STUCK_MS = 4000;

/** The exit code when the pi that started this process has ended, the same as for a lost terminal. */
const GONE = 129;

export interface BrowserEnd {
	readonly code: number;
	/** Whether a thread has not ended; it may be waiting for a disk that does not answer. */
	readonly isStuck: boolean;
}

/** Opens the browser; resolves once it has ended and the terminal has been restored. */
export async function openBrowser(launch: LaunchContext): Promise<BrowserEnd> {
	const context = isDumb() ? { ...launch, terminal: withoutEscapes(launch.terminal) } : launch;
	const { args, env, home, cwd, terminal, chooser } = context;
	// With a chooser, no pi is started from here.
	const pi = chooser === undefined ? await choosePi(args.pi, env) : { program: "pi", args: [] };
	const isPlain = args.plain === true || isSet(env.PI_GROVE_PLAIN) || isDumb();
	const { session, query, notice, sessionRoots } = await openingOf(context);
	const stateDir = defaultStateDir(env, home);
	const size = terminalSize(terminal.output);
	const catalog = openPlaces(context, sessionRoots, size.rows);
	const keys = readKeymap(sessionRoots.agentDir);
	const commands = context.demo ? { ...keys, problems: [] } : await readOwnCommands(keys.keymap, env, home);
	const watch = watchExit(terminal);
	const link = chooser?.link;
	void link?.gone.then(() => watch.end({ code: GONE }));
	const settings = readPiSettings(cwd, sessionRoots.agentDir);
	const piTheme = themeFor(link?.info.theme, settings);
	const program = createProgram({
		environment: {
			home,
			cwd,
			savesTo: (context.demo ? undefined : downloadsDirectory(env, home)) ?? cwd,
			repo: repositoryOf(cwd),
			tmux: isSet(env.TMUX),
			isTrashClosed: isTrashClosed(home),
			plain: isPlain,
			demo: context.demo,
			tour: context.demo && context.empty === undefined,
			keymap: commands.keymap,
			treeFilter: treeFilterSetting(settings.map(({ fields }) => fields)),
			problems: [...keys.problems, ...commands.problems, ...piTheme.problems],
			root: rootOf(sessionRoots),
			open: session?.path,
			openAt: session?.entry,
			opens: link?.info.opens,
			notice,
			empty: context.empty,
			picks: chooser?.picks,
			host: link && listedHost(link, sessionRoots),
			...context.start,
			query: query === "" ? undefined : query,
		},
		size,
		catalog,
		places: catalog,
		env,
		pi,
		...(link && { host: hostPort(link, sessionRoots) }),
		leavesForPi: args.leave === true || isSet(env.PI_GROVE_LEAVE),
		sessionRoots,
		clock: Date.now,
		writeTerminal: (text) => terminal.output.write(text),
		noteUse: (path, pid) => noteStart(stateDir, path, pid),
		runForeground: (outside) => runInTerminal(outside, { terminal, watch, stateDir }),
		log: debugLog(env),
	});
	const ownCommands = watchFile(ownCommandsPath(env, home), async () => {
		const { keymap, problems } = await readOwnCommands(keys.keymap, env, home);
		program.dispatch({
			type: "own-commands-read",
			keymap,
			problems: [...keys.problems, ...problems, ...piTheme.problems],
		});
	});
	if (!context.demo) ownCommands.start();
	if (size.isAssumed) program.dispatch({ type: "resize", ...size });
	const theme = createLiveTheme(process.env, piTheme.choice, isPlain);
	const chooseColors = (): void => theme.choose(selectColors(program.getState()));
	chooseColors();
	program.subscribe(chooseColors);
	// Queried before the wait below, so that most terminals have reported their colors before the first frame.
	const keyboard = openKeyboard(
		terminal.input,
		(text) => terminal.output.write(text),
		readTypedAhead(),
		{
			text: theme.questions,
			onAnswer: theme.answered,
		},
		// Rows of words have no cells to click at.
		!isPlain && args.noMouse !== true && !isSet(env.PI_GROVE_NO_MOUSE),
	);
	// Takes a few milliseconds; then the first frame shows the stored list.
	await catalog.stored();
	// A catalog that fails reports that itself.
	catalog.listed().then(context.keepCode, () => undefined);
	const end = await mount({ program, terminal, keyboard, theme, ending: watch.exit, painter: painterFor(isPlain) });
	ownCommands.close();
	return closeBrowser(end, program, watch, context);
}

/** What to show first, and the directories of the sessions to list: that of a session that is named may be another one. */
async function openingOf({ args, chooser, start, env, home, cwd, sessionRoots }: LaunchContext) {
	// The words of a chooser are in the query already.
	const words = chooser?.picks === undefined ? args.words : [];
	const sessions = new Sessions({ env, home, cwd, sessionDir: args.sessionDir });
	const { query, session: namedSession } = await readOpening(words, start?.query ?? "", sessions);
	const last = args.last && (await lastOpened(lastOpenedBy(env, home), sessions));
	const session = typeof last === "object" ? last : namedSession;
	const notice = typeof last === "string" ? [last] : [];
	if (session?.sessionDir === undefined) return { query, session, notice, sessionRoots };
	return { query, session, notice, sessionRoots: await sessions.rootsOf(session) };
}

function painterFor(isPlain: boolean): FramePainter {
	if (isDumb()) return printFrame;
	return isPlain ? readFrame : drawFrame;
}

/** The catalog of this machine and of the person's places. `rows`: of the terminal. */
function openPlaces({ env, home, demo }: LaunchContext, sessionRoots: SessionRoots, rows: number): AllPlaces {
	const directories = { home, cacheDir: defaultCacheDir(env, home), stateDir: defaultStateDir(env, home) };
	// Some of the first rows may be archived, which the list does not show.
	const here = openCatalog({ sessionRoots, ...directories, firstRows: 2 * rows });
	// The demo is the same for everyone.
	const file = demo ? undefined : placesPath(env, home);
	const readFile = () => (file === undefined ? NO_PLACES : readPlaces(file, home));
	return new AllPlaces(here, {
		...directories,
		...{ env, file, readPlaces: readFile, createDirectory: createPrivateDirectory },
	});
}

/** Closes the browser, whose terminal has been restored, and does what remains: starts pi, or passes the choice on. */
async function closeBrowser(
	end: Outcome | Exit,
	program: Program,
	watch: ExitWatch,
	{ terminal, chooser, env, home }: LaunchContext,
): Promise<BrowserEnd> {
	const stateDir = defaultStateDir(env, home);
	// Noted as in use while this browser closes, so that no other one deletes the session before pi has started.
	const onLeft = "kind" in end && end.kind === "resume" ? noteStart(stateDir, end.path, process.pid) : undefined;
	let isStuck = true;
	const closed = program.close().then(() => {
		isStuck = false;
	});
	await Promise.race([closed, delay(CLOSING_MS)]);
	const leaveOnSignal = (): void => {
		for (const [signal, code] of SIGNAL_CODES) process.on(signal, () => leave(code, isStuck));
	};
	// The person may press ctrl+c once more than needed. While pi has the terminal, ctrl+c is for pi.
	const startsPi = "kind" in end && end.kind === "resume";
	if (!startsPi) leaveOnSignal();
	watch.stop();
	const code = await finish(end, { terminal, stateDir, chooser, onLeft });
	if (startsPi) leaveOnSignal();
	terminal.close();
	// The terminal is the person's again, and ctrl+c ends what is left. On a slow machine, wait longer for a proper exit code.
	if (isStuck) await Promise.race([closed, delay(STUCK_MS)]);
	return { code, isStuck };
}

/** The debug log that the environment asks for; if it cannot be written, that is reported, and there is none. */
function debugLog(env: LaunchContext["env"]): DebugLog {
	try {
		return openDebugLog(env);
	} catch (error) {
		note(`cannot write the log of PI_GROVE_LOG: ${messageOf(error)}`);
		return NO_LOG;
	}
}

/** What pi reported at the start, with the path of its session as the list has it. */
function listedHost({ info }: HostLink, roots: SessionRoots): Host {
	const { pi, open, busy } = info;
	return { pi, busy, open: listed(open, roots), pid: process.ppid, reportedMs: Date.now() };
}

/** The link, with the path of pi's session as the list has it. */
function hostPort(link: HostLink, roots: SessionRoots): HostPort {
	return {
		change: link.change,
		listen: (listener) =>
			link.listen(({ open, busy }) => listener({ busy, open: listed(open, roots), reportedMs: Date.now() })),
	};
}

function listed(open: OpenInHost, roots: SessionRoots): OpenInHost {
	if (open.path === undefined) return open;
	const path = attempt(() => findFile(resolvePath(open.path ?? "", open.cwd), roots).path);
	return path === undefined ? open : { ...open, path };
}

/** The colors reported by the pi that started this process, else those of its settings. */
function themeFor(reported: HostInfo["theme"], settings: readonly PiSettings[]): ReadTheme {
	if (reported === undefined) return readPiTheme(settings);
	const { palette } = parsePiTheme(JSON.stringify(reported));
	return { choice: { dark: reported.appearance === "dark", onDark: palette, onLight: palette }, problems: [] };
}

/** The root of the Git repository that contains a directory; undefined when there is none. */
function repositoryOf(directory: string): string | undefined {
	for (let at = directory; ; at = dirname(at)) {
		if (existsSync(join(at, ".git"))) return at;
		if (dirname(at) === at) return undefined;
	}
}
