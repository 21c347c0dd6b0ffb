/**
 * What a person typed in a user message, without what programs put around it:
 *
 * - pi itself: the text of a skill, and the files named on the command line (`pi @spec.md "implement it"`) (pi 1.5.2).
 * - Claude Code and the editors around it, whose sessions are converted to pi's: reminders, what is open and selected, the parts of a
 *   command. Codex: its description of the environment.
 * - Chats that run pi, such as OpenClaw: who wrote, where and when.
 *
 * Only known wrappers are removed: a person may begin with a tag of their own.
 */

/** Tags whose whole text was put there by a program. */
const CONTEXT: ReadonlySet<string> = new Set([
	"attached_files",
	"environment_context",
	"file",
	"ide_opened_file",
	"ide_selection",
	"local-command-caveat",
	"local-command-stderr",
	"local-command-stdout",
	"system-reminder",
	"user_instructions",
]);
/** Tags around the person's words. */
const AROUND: ReadonlySet<string> = new Set(["user_query", "user_message"]);
/** The parts of a command. */
const COMMAND_NAME = "command-name";
const COMMAND_ARGS = "command-args";
const COMMAND_PARTS: ReadonlySet<string> = new Set([COMMAND_NAME, COMMAND_ARGS, "command-message"]);

/** The skill or the file that begins a message, or a tag of one of the sets above. */
const SKILL = /<skill name="([^"\n]{1,200})" location="[^"\n]*">\n/y;
const FILE = /<file name="([^"\n]{1,4000})">/y;
const TAG = /<([a-z][a-z_-]{1,30})(?:\s[^<>\n]{0,500})?>/y;
const SKILL_END = "\n</skill>";
/** `Conversation info (untrusted metadata):`, and a block of JSON below it. */
const METADATA = /[A-Z][\w ]{1,80} \(untrusted[^()\n]{0,80}\):\n```(?:json)?\n/y;
const METADATA_END = "\n```";
/** `[Telegram Ada 2026-02-23 23:41 GMT+8] `, `[cron:4f1 nightly] `. */
const ENVELOPE = /\[(?:[^[\]\n]{0,160}\d{4}-\d\d-\d\d[T ]\d\d:\d\d[^[\]\n]{0,60}|cron:[^[\]\n]{1,200})\]/y;
const MESSAGE_ID = /\n\[message_id: [^\]\n]{1,200}\]\s*$/;
/** Tags that close a message: only its end is looked at, since programs put them behind the last word. */
const LAST_TAG = /<\/([a-z][a-z_-]{1,30})>\s*$/;
/** UTF-16 units of the end of a message that are searched for the two above. */
const END_LENGTH = 400;
/** More wrappers than any program puts around a message. */
const MAX_WRAPPERS = 50;
/** Names of files that stand for a message that only names files. */
const MAX_FILES = 5;

/** Longer messages are not commands. */
const LONGEST_COMMAND = 200;
const COMMAND = /^\/[a-z][\w:.-]*$/i;

interface Typed {
	/** What the person wrote, trimmed unless the message is nothing else. */
	words: string;
	/** "/skill:review" or "/review", if that was called. */
	call: string;
	/** Paths of the files that pi put before the words. */
	files: string[];
}

/** Whether a message only calls a command or a skill, or names files, and so says nothing about the session's subject. */
export function isOnlyCommand(message: string): boolean {
	const { words, call, files } = readMessage(message);
	if (words.trim() === "") return call !== "" || files.length > 0;
	return call === "" && words.length <= LONGEST_COMMAND && COMMAND.test(words.trim());
}

/**
 * A message as it was typed: "/skill:name words" if pi has prepended the text of a skill, "@spec.md" if only files were named; "" if
 * all of it is from programs. The message itself if nothing was put around it.
 */
export function typedMessage(message: string): string {
	const { words, call, files } = readMessage(message);
	if (call !== "") return `${call} ${words}`.trimEnd();
	return words === "" ? files.map((path) => `@${baseName(path)}`).join(" ") : words;
}

function readMessage(message: string): Typed {
	const typed: Typed = { words: message, call: "", files: [] };
	for (let count = 0; count < MAX_WRAPPERS; count++) {
		const next = withoutFirst(typed.words.trimStart(), typed) ?? withoutLast(typed.words);
		if (next === undefined) break;
		typed.words = next.trim();
	}
	return typed;
}

/** What follows the wrapper that begins a text, of which `typed` gets what it names; undefined if none does. */
function withoutFirst(text: string, typed: Typed): string | undefined {
	const skill = matchAt(SKILL, text);
	if (skill) {
		const end = text.indexOf(SKILL_END);
		if (end === -1) return undefined;
		typed.call = `/skill:${skill[1]}`;
		return text.slice(end + SKILL_END.length);
	}
	const metadata = matchAt(METADATA, text);
	if (metadata) {
		const end = text.indexOf(METADATA_END, metadata[0].length - 1);
		return end === -1 ? undefined : text.slice(end + METADATA_END.length);
	}
	const envelope = matchAt(ENVELOPE, text);
	if (envelope) return text.slice(envelope[0].length);
	return matchAt(FILE, text) ? withoutFiles(text, typed) : withoutTag(text, typed);
}

/** Behind the files that begin a text: a file may itself have the end of one in it, so they go up to the last one. */
function withoutFiles(text: string, typed: Typed): string | undefined {
	const open = matchAt(FILE, text);
	const from = open?.[0].length ?? 0;
	const line = text.indexOf("\n", from);
	// An image, or why it is not there, is on one line.
	const inLine = text.slice(from, line === -1 ? text.length : line).indexOf("</file>");
	const last = text.lastIndexOf("\n</file>");
	const end = inLine !== -1 ? from + inLine : last === -1 ? -1 : last + 1;
	if (end === -1) return undefined;
	for (const [, path] of text.slice(0, end).matchAll(/^<file name="([^"\n]{1,4000})">/gm))
		if (path !== undefined && typed.files.length < MAX_FILES) typed.files.push(path);
	return text.slice(end + "</file>".length);
}

function withoutTag(text: string, typed: Typed): string | undefined {
	const open = matchAt(TAG, text);
	const tag = open?.[1] ?? "";
	if (open === null || !(CONTEXT.has(tag) || AROUND.has(tag) || COMMAND_PARTS.has(tag))) return undefined;
	const end = text.indexOf(`</${tag}>`, open[0].length);
	if (end === -1) return undefined;
	const inner = text.slice(open[0].length, end);
	const rest = text.slice(end + tag.length + 3);
	if (AROUND.has(tag)) return `${inner}${rest}`;
	if (tag === COMMAND_NAME) typed.call = inner.trim();
	return tag === COMMAND_ARGS ? `${inner} ${rest}` : rest;
}

/** A text without the wrapper that ends it; undefined if none does, or nothing is before it. */
function withoutLast(text: string): string | undefined {
	const from = Math.max(0, text.length - END_LENGTH);
	const end = text.slice(from);
	const id = end.search(MESSAGE_ID);
	if (id > 0) return text.slice(0, from + id);
	const tag = LAST_TAG.exec(end)?.[1] ?? "";
	const open = CONTEXT.has(tag) ? text.lastIndexOf(`\n<${tag}`) : -1;
	return open > 0 ? text.slice(0, open) : undefined;
}

function matchAt(pattern: RegExp, text: string): RegExpExecArray | null {
	pattern.lastIndex = 0;
	return pattern.exec(text);
}

function baseName(path: string): string {
	return path.slice(Math.max(path.lastIndexOf("/"), path.lastIndexOf("\\")) + 1) || path;
}
