import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import type { FamilyPlan } from "./family-plans.ts";

const FIXTURES = join(import.meta.dirname, "../../fixtures/families");
/** Where they seem to have been made, and when. */
const HOME = "/home/dev";
const BEGAN = Date.parse("2026-09-14T09:00:00.000Z");
/** Longest text that is kept: the packages keep whole error messages of git, and prompts. */
const LONGEST = 600;
/** Details in which every installation differs. */
const LEFT_OUT = new Set([
	"launchResolvedExtensions",
	"runtimeAcknowledgedExtensions",
	"launchContractDigest",
	"mission",
]);
/** The first of these in a file is when everything began. */
const ISO = /20\d\d-\d\d-\d\dT\d\d[:-]\d\d[:-]\d\d[.-]\d{3}Z/g;
const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;
/** An agent of @tintinweb/pi-subagents. */
const AGENT = /"([0-9a-f]{8})-[0-9a-f]{4}-[0-9a-f]{3}"/g;

/**
 * Writes what a pi has left in its sessions' directory to the fixtures: with ids, times and paths that say nothing of the
 * machine, and without what is long and says nothing of runs.
 */
export function keepFamily({ name, package: from }: FamilyPlan, home: string): void {
	const sessions = join(home, ".pi/agent/sessions");
	const files = readdirSync(sessions, { recursive: true, encoding: "utf8" })
		.filter((path) => path.endsWith(".jsonl"))
		// The parent before its runs, and a session of an agent after the one that has started it.
		.sort((a, b) => depthOf(a) - depthOf(b) || (a < b ? -1 : 1))
		.map((path) => ({ path, text: readFileSync(join(sessions, path), "utf8") }));
	const replace = replacing(files.map(({ text }) => text).join("\n"), home);
	const target = join(FIXTURES, name);
	rmSync(target, { recursive: true, force: true });
	for (const { path, text } of files) {
		const to = join(target, relative("", replace(path)));
		mkdirSync(dirname(to), { recursive: true });
		writeFileSync(to, shortened(replace(text)));
	}
	if (files.length === 0) throw new Error(`${from} has written no session for ${name}`);
}

function depthOf(path: string): number {
	return path.split("/").length;
}

/** The lines of a file with long texts cut. */
function shortened(text: string): string {
	const lines = text.trimEnd().split("\n");
	return lines.map((line) => `${JSON.stringify(JSON.parse(line, cut))}\n`).join("");
}

function cut(key: string, value: unknown): unknown {
	if (LEFT_OUT.has(key)) return undefined;
	// The system prompt, in pi's and the packages' words.
	if (key === "sections") return { preamble: "You are a coding assistant." };
	if (key === "toolsAdded") return [];
	return typeof value === "string" && value.length > LONGEST ? `${value.slice(0, LONGEST)}…` : value;
}

/** Replaces ids by numbers, in the order in which they come, times by ones that begin at a fixed one, and the home directory. */
function replacing(all: string, home: string): (text: string) => string {
	const began = Math.min(...Array.from(all.matchAll(ISO), ([iso]) => timeOf(iso)));
	const offset = BEGAN - began;
	const ids = new Map<string, string>();
	const number = (id: string, make: (hex: string) => string): void => {
		if (!ids.has(id)) ids.set(id, make((ids.size + 1).toString(16)));
	};
	for (const [, id = ""] of all.matchAll(/"id":"([0-9a-f]{8})"/g)) number(id, (hex) => `e${hex.padStart(7, "0")}`);
	for (const [uuid] of all.matchAll(UUID)) number(uuid, (hex) => `01990000-0000-7000-8000-${hex.padStart(12, "0")}`);
	for (const [, id = ""] of all.matchAll(/"runId":"([0-9a-f]{8})"/g)) number(id, (hex) => `b${hex.padStart(7, "0")}`);
	for (const [quoted, head = ""] of all.matchAll(AGENT)) {
		const id = quoted.slice(1, -1);
		number(id, (hex) => `a${hex.padStart(7, "0")}-0000-400`);
		ids.set(head, ids.get(id)?.slice(0, 8) ?? head);
	}
	// The longest first: an agent's id begins with a part of it.
	const known = new RegExp([...ids.keys()].sort((a, b) => b.length - a.length).join("|") || "$^", "g");
	const encoded = home.slice(1).replace(/[/\\:]/g, "-");
	return (text) =>
		text
			.replace(known, (id) => ids.get(id) ?? id)
			.replace(ISO, (iso) => isoLike(iso, timeOf(iso) + offset))
			.replace(/(?<![0-9a-f])1\d{12}(?![0-9a-f])/g, (ms) => String(Number(ms) + offset))
			.replaceAll(home, HOME)
			.replaceAll(encoded, HOME.slice(1).replaceAll("/", "-"));
}

/** In names of files `:` and `.` are `-`. */
function timeOf(iso: string): number {
	return Date.parse(iso.replace(/T(\d\d).(\d\d).(\d\d).(\d{3})Z/, "T$1:$2:$3.$4Z"));
}

function isoLike(iso: string, time: number): string {
	const text = new Date(time).toISOString();
	return iso.includes(":") ? text : text.replace(/[:.]/g, "-");
}
