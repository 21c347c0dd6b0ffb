import { homedir } from "node:os";
import { sweepTemporaryDirectories } from "../../app/world/effects/temporary-directory.ts";
import { findSessionRoots, type SessionRoots } from "../../catalog/model/session-roots.ts";
import { placesPath, readPlaces } from "../../catalog/places/places-file.ts";
import { canBringBack } from "../../changes/engine/recover.ts";
import { createHistoryReader } from "../../changes/journal/history-reader.ts";
import { journalPath, openJournal } from "../../changes/journal/journal.ts";
import { marksPath, openMarksFile } from "../../changes/noted/marks.ts";
import { openSavedFile, savedPath } from "../../changes/noted/saved-queries.ts";
import { createStoreHere } from "../../changes/store-thread/store-client.ts";
import { dirname, join } from "../../shared/paths.ts";
import { explain } from "../../store/files/store-error.ts";
import { ownTerminal } from "../../terminal/terminal.ts";
import { shortenHome } from "../../ui/text/format.ts";
import { type Arguments, misspelled } from "../arguments/arguments.ts";
import { Sessions } from "../find/sessions.ts";
import { failWith, Mistake } from "../print/output.ts";
import { createDemo, type Demo, hasSessions } from "./demo.ts";
import { leave } from "./finish.ts";
import { type BrowserEnd, type LaunchContext, openBrowser } from "./open-browser.ts";
import { readOpening } from "./opening.ts";

/**
 * Opens the browser in this terminal; ends the process once the terminal is as it was, without waiting for background work.
 * `keepCode`: keeps the compiled code for the next start.
 */
export async function browse(args: Arguments, keepCode: () => void): Promise<number> {
	// A mistake ends the process, too: the link to pi, which pi holds open, would keep it running.
	const { code, isStuck } = await openHere(args, keepCode).catch(
		(error: unknown): BrowserEnd => ({ code: failWith(error), isStuck: false }),
	);
	leave(code, isStuck);
	return code;
}

async function openHere(args: Arguments, keepCode: () => void): Promise<BrowserEnd> {
	const host = takeHostText(process.env);
	const terminal = ownTerminal();
	if (typeof terminal === "string") throw new Mistake(await refusal(args, terminal));
	void sweepTemporaryDirectories();
	const here = { env: process.env, home: homedir(), cwd: process.cwd(), terminal };
	const sessionRoots = await findSessionRoots({ ...here, sessionDir: args.sessionDir });
	const start = { query: args.query };
	const context: LaunchContext = { args, ...here, sessionRoots, demo: false, start, keepCode };
	if (host !== undefined) {
		const { hostChooser } = await import("./host-link.ts");
		return openBrowser({ ...context, chooser: hostChooser(host) });
	}
	const empty = args.demo || args.words.length > 0 ? undefined : await emptyRoot(context);
	if (!args.demo && empty === undefined) return openBrowser(context);

	const demo = await makeDemo();
	if (typeof demo === "string") {
		if (!args.demo) return openBrowser(context);
		throw new Mistake(demo);
	}
	try {
		const env = {
			...process.env,
			PI_CODING_AGENT_DIR: demo.agentDir,
			PI_CODING_AGENT_SESSION_DIR: undefined,
			XDG_CACHE_HOME: join(demo.home, ".cache"),
			XDG_STATE_HOME: join(demo.home, ".state"),
		};
		// The trash package reads the environment of the process; sessions deleted in the demo must not go to the person's trash (on Linux).
		process.env.XDG_DATA_HOME = join(demo.home, ".data");
		return await openBrowser({
			...context,
			env,
			home: demo.home,
			cwd: demo.cwd,
			sessionRoots: await demoRoots(env, demo),
			demo: true,
			empty: empty && shortenHome(empty, context.home),
		});
	} finally {
		await demo.remove();
	}
}

/** Where the demo's sessions are: nothing of this machine is looked at for them. */
async function demoRoots(env: NodeJS.ProcessEnv, { cwd, home }: Demo): Promise<SessionRoots> {
	const { projectDirs: _, ...sessionRoots } = await findSessionRoots({ env, cwd, home });
	return sessionRoots;
}

/** What to run instead of the browser, which has no terminal. */
async function refusal({ words, query = "", sessionDir }: Arguments, missing: "input" | "output"): Promise<string> {
	const needs = `the browser needs a terminal, and its ${missing} is not one. Without a terminal, use: pi-grove`;
	const [word] = words.filter((one) => one.trim() !== "");
	if (word === undefined) return `${needs} ${query === "" ? "list" : `search ${query}`}`;
	const opening = await readOpening(words, query, Sessions.of({ sessionDir }));
	if (opening.session !== undefined) return `${needs} show ${word}`;
	// As a query it would open the browser.
	return misspelled(word) ?? `there is no command ${word}, and ${needs} search ${opening.query}`;
}

/**
 * Takes the value of PI_GROVE_HOST, which pi sets when it starts the browser, out of the environment, so that no program
 * started from here believes that it is a child of pi; undefined if pi did not start this process.
 */
function takeHostText(env: NodeJS.ProcessEnv): string | undefined {
	const { PI_GROVE_HOST: text } = env;
	delete env.PI_GROVE_HOST;
	return text === "" ? undefined : text;
}

/** The demo; an error message if it cannot be copied. */
async function makeDemo(): Promise<Demo | string> {
	try {
		return await createDemo(Date.now());
	} catch (error) {
		return `cannot copy the demo to a temporary folder: ${explain(error)}. TMPDIR says where that is.`;
	}
}

/**
 * pi's default session directory, if it is empty; undefined if there is something to show. A directory that the person
 * chose is shown even if it is empty, and so is one whose last sessions were deleted from here: undo brings them back. With other
 * places, their sessions are a key away.
 */
async function emptyRoot({ env, home, sessionRoots }: LaunchContext): Promise<string | undefined> {
	const { kind, projectDirs = [] } = sessionRoots;
	if (kind !== "default" || projectDirs.length > 0) return undefined;
	if (hasSessions(sessionRoots)) return undefined;
	const { places, problems } = readPlaces(placesPath(env, home), home);
	if (places.length + problems.length > 0) return undefined;
	const path = journalPath(env, home);
	const journal = openJournal({ path, root: sessionRoots.root });
	const isUndoable = await canBringBack({
		...{ journal, store: createStoreHere(), sessionRoots, clock: Date.now, rowOf: () => undefined },
		history: createHistoryReader(path, sessionRoots.root, journal.run),
		marks: openMarksFile(marksPath(env, home)),
		saved: openSavedFile(savedPath(env, home)),
		stateDir: dirname(path),
	});
	return isUndoable ? undefined : sessionRoots.root;
}
