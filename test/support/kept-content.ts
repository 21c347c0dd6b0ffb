import { existsSync, lstatSync, readdirSync, readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { expect } from "vitest";
import { attempt } from "../../src/shared/attempt.ts";
import { Sandbox, threeSessions } from "./sandbox.ts";

/** Three sessions that a test does something to. */
interface KeptSessions {
	readonly sandbox: Sandbox;
	readonly paths: readonly string[];
	/** Fails where one of them is not whole any more in its place, in the archive or in the trash. `after`: what was done. */
	readonly expectNothingLost: (after?: string) => void;
}

/** Has `use` do something to three sessions in a sandbox of their own, which is removed after it. */
export async function withThreeSessions<Result>(use: (sessions: KeptSessions) => Promise<Result>): Promise<Result> {
	const sandbox = new Sandbox();
	try {
		const paths = Object.values(threeSessions(sandbox));
		const before = new Map(paths.map((path) => [path, readFileSync(path, "utf8")]));
		const expectNothingLost = (after?: string): void => expect(lostContent(sandbox, before), after).toEqual([]);
		return await use({ sandbox, paths, expectNothingLost });
	} finally {
		sandbox.remove();
	}
}

/** All session files below the agent directory: listed, archived, of any project. */
export function sessionFiles(sandbox: Sandbox): string[] {
	return readdirSync(sandbox.agentDir, { recursive: true, encoding: "utf8" })
		.filter((name) => name.endsWith(".jsonl"))
		.map((name) => join(sandbox.agentDir, name))
		.sort();
}

/** Every copy of a session that there is, by the name of its file: in its place, archived, or in the trash. */
export function copiesOf(sandbox: Sandbox, path: string): string[] {
	const places = sessionFiles(sandbox).filter((one) => basename(one) === basename(path));
	const trash = join(sandbox.env.XDG_DATA_HOME ?? "", "Trash");
	const notes = existsSync(join(trash, "info")) ? readdirSync(join(trash, "info")) : [];
	const deleted = notes
		// What an attack has put in the place of one may be anything.
		.filter((note) => {
			const stats = lstatSync(join(trash, "info", note));
			return stats.isFile() && stats.size < 1_000_000;
		})
		.filter((note) => decoded(readFileSync(join(trash, "info", note), "utf8")).includes(basename(path)))
		.map((note) => join(trash, "files", basename(note, ".trashinfo")))
		.filter(existsSync);
	return [...places, ...deleted].map((one) => readFileSync(one, "utf8"));
}

/** A note of the trash; one that an attack has damaged, as it is. */
function decoded(note: string): string {
	return attempt(() => decodeURIComponent(note)) ?? note;
}

/** What is wrong with the sessions after anything was done to them: `before` has what was in each, by path. */
function lostContent(sandbox: Sandbox, before: ReadonlyMap<string, string>): string[] {
	const lost = [...before].filter(([path, content]) => !copiesOf(sandbox, path).some((now) => now.startsWith(content)));
	const half = sessionFiles(sandbox).filter((path) => !isWhole(readFileSync(path, "utf8")));
	return [...lost.map(([path]) => `lost: ${path}`), ...half.map((path) => `half a file: ${path} of ${dirname(path)}`)];
}

/** Whether a file is whole lines of JSON, the first of them a header. */
function isWhole(content: string): boolean {
	try {
		const lines = content.split("\n").slice(0, -1);
		return content.endsWith("\n") && lines.map((line) => JSON.parse(line))[0]?.type === "session";
	} catch {
		return false;
	}
}
