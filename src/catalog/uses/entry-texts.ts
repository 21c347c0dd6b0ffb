import { isObject } from "../../shared/json.ts";
import { withFile } from "../../store/files/open-file.ts";
import { contentBlocks, contentText, SHELLS, typedMessage } from "../../store/format/message.ts";
import type { RawEntry } from "../../store/format/raw-entry.ts";
import { CHUNK_BYTES, readLineAt } from "../../store/read/line-reader.ts";
import { textHash } from "../branches/entry-ids.ts";
import { parseObject } from "../search/parse-object.ts";
import type { Use, UseKind } from "./use.ts";

/** A prompt or a command in an entry. */
interface EntryText {
	readonly kind: UseKind;
	/** Trimmed, and not empty. */
	readonly text: string;
	readonly by: Use["by"];
	/** Id of the call that runs the command; "" for anything else. */
	readonly callId: string;
}

/** The prompts and commands of an entry, in order. A prompt is as it was typed, without the text of a skill. */
export function textsOfEntry(entry: RawEntry): EntryText[] {
	const message = entry.type === "message" && isObject(entry.message) ? entry.message : undefined;
	switch (message?.role) {
		case "user":
			return made("prompt", typedMessage(contentText(message.content, "\n")), "person");
		case "bashExecution":
			return made("command", message.command, "person");
		case "assistant":
			return contentBlocks(message.content).flatMap(commandOf);
		default:
			return [];
	}
}

function commandOf(block: unknown): EntryText[] {
	if (!isObject(block) || block.type !== "toolCall") return [];
	if (typeof block.name !== "string" || !SHELLS.has(block.name) || !isObject(block.arguments)) return [];
	return made("command", block.arguments.command, "model", typeof block.id === "string" ? block.id : "");
}

function made(kind: UseKind, value: unknown, by: Use["by"], callId = ""): EntryText[] {
	const text = typeof value === "string" ? value.trim() : "";
	return text === "" ? [] : [{ kind, text, by, callId }];
}

/** The whole text of a use, read from its file; undefined if the file has changed there. Throws if it cannot be read. */
export function wholeText({ path, offset, part, text }: Use): string | undefined {
	const entry = withFile(path, (fd) => readLineAt(fd, offset, Buffer.allocUnsafe(CHUNK_BYTES), parseObject));
	const found = entry && textsOfEntry(entry)[part];
	return found !== undefined && textHash(found.text) === text ? found.text : undefined;
}
