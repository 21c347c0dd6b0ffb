import { isObject } from "../../shared/json.ts";
import { contentBlocks, contentText } from "../format/message.ts";
import type { RawEntry } from "../format/raw-entry.ts";
import { isOnlyCommand, typedMessage } from "../format/typed-message.ts";

/**
 * What says best what a session is about, if it has no name: the first text of the best source, of all branches. The sources, best
 * first; each is plain JSON, since it is stored.
 */
const SOURCES = {
	/** What the person wrote that is more than a command. */
	prompt: 0,
	/** "/review", "/skill:review", "@spec.md": only a command, a skill or files. */
	call: 1,
	/** "! git status": a command of the person. */
	shell: 2,
	/** "[image] This picture shows a cat": an image, and the answer to it. */
	image: 3,
	/** A message of an extension. */
	extension: 4,
	answer: 5,
	/** What another branch, or what was compacted, was about. */
	summary: 6,
	/** A message of an extension that is only for the model. */
	hidden: 7,
	/** "[image]": one without an answer. */
	bareImage: 8,
	/** Why an answer failed, or "[bash, read]": what it called. */
	calls: 9,
	/** A user message that a program wrote, as it is. */
	wrapper: 10,
	none: 11,
} as const;

export interface TitleFacts {
	/** Its beginning; "" if there is none. */
	title: string;
	/** How good its source is (`SOURCES`): the less, the better. */
	titleRank: number;
	/** Whether the person began with an image, which the first answer describes. */
	beganWithImage: boolean;
}

export const NO_TITLE: TitleFacts = { title: "", titleRank: SOURCES.none, beganWithImage: false };

/** UTF-16 units of a title that are kept. */
const TITLE_LENGTH = 1000;

export type TitleLine = "user" | "assistant" | "command" | "extension" | "summary";

/** Whether a line of this kind may have a better title. */
export function wantsTitle({ titleRank, beganWithImage }: TitleFacts, line: TitleLine): boolean {
	switch (line) {
		case "user":
			return titleRank > SOURCES.prompt;
		case "command":
			return titleRank > SOURCES.shell;
		case "assistant":
			return titleRank > (beganWithImage ? SOURCES.image : SOURCES.answer);
		case "extension":
			return titleRank > SOURCES.extension;
		case "summary":
			return titleRank > SOURCES.summary;
	}
}

export function gatherTitle(facts: TitleFacts, entry: RawEntry): void {
	const line = lineOf(entry);
	if (line === undefined || !wantsTitle(facts, line)) return;
	const source = entry.type === "message" && isObject(entry.message) ? entry.message : entry;
	if (line === "user" && hasImage(source) && facts.titleRank > SOURCES.answer) facts.beganWithImage = true;
	const [rank, text] = titleIn(line, source, facts.beganWithImage);
	if (rank >= facts.titleRank || text.trim() === "") return;
	facts.titleRank = rank;
	facts.title = text.slice(0, TITLE_LENGTH);
}

/** The title as a row has it, besides the first message: undefined if that begins with it. */
export function promptOf({ title }: TitleFacts, firstMessage: string): string | undefined {
	const isBeginning = title === firstMessage || (title.length === TITLE_LENGTH && firstMessage.startsWith(title));
	return isBeginning || title === "" ? undefined : title;
}

function lineOf({ type, message }: RawEntry): TitleLine | undefined {
	if (type === "custom_message") return "extension";
	if (type === "compaction" || type === "branch_summary") return "summary";
	if (type !== "message" || !isObject(message)) return undefined;
	switch (message.role) {
		case "user":
		case "assistant":
			return message.role;
		case "bashExecution":
			return "command";
		case "custom":
		case "hookMessage":
			return "extension";
		case "branchSummary":
		case "compactionSummary":
			return "summary";
		default:
			return undefined;
	}
}

function titleIn(line: TitleLine, source: RawEntry, beganWithImage: boolean): readonly [rank: number, text: string] {
	const text = contentText(source.content);
	switch (line) {
		case "user":
			return titleInUser(source, text);
		case "command": {
			const sign = source.excludeFromContext === true ? "!!" : "!";
			return [
				SOURCES.shell,
				typeof source.command === "string" && source.command.trim() !== "" ? `${sign} ${source.command}` : "",
			];
		}
		case "assistant":
			if (text.trim() === "") return [SOURCES.calls, whatHappened(source)];
			return beganWithImage ? [SOURCES.image, `[image] ${text}`] : [SOURCES.answer, text];
		case "extension":
			return [source.display === false ? SOURCES.hidden : SOURCES.extension, text];
		case "summary":
			return [SOURCES.summary, typeof source.summary === "string" ? source.summary : ""];
	}
}

function titleInUser(source: RawEntry, text: string): readonly [rank: number, text: string] {
	const typed = typedMessage(text);
	if (typed.trim() !== "") return [isOnlyCommand(text) ? SOURCES.call : SOURCES.prompt, typed];
	return hasImage(source) ? [SOURCES.bareImage, "[image]"] : [SOURCES.wrapper, text];
}

/** Of an answer without text. */
function whatHappened({ content, errorMessage }: RawEntry): string {
	if (typeof errorMessage === "string" && errorMessage !== "") return errorMessage;
	const tools = contentBlocks(content).flatMap(({ type, ...block }) =>
		type === "toolCall" && "name" in block && typeof block.name === "string" ? [block.name] : [],
	);
	return tools.length === 0 ? "" : `[${tools.join(", ")}]`;
}

function hasImage({ content }: RawEntry): boolean {
	return contentBlocks(content).some(({ type }) => type === "image");
}
