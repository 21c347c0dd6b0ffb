/** Builders for lines of session files, in pi's own key order. */

const time = (second: number) => new Date(Date.UTC(2026, 0, 1) + second * 1000);

/** A header, without `\n`. */
export function header(fields: object = {}): string {
	const timestamp = time(0).toISOString();
	return JSON.stringify({ type: "session", version: 3, id: "0198-aa", timestamp, cwd: "/work/api", ...fields });
}

/** An entry of any type, `second` seconds after the header. */
export function entry(type: string, id: string, parentId: string | null, second: number, fields: object): string {
	return JSON.stringify({ type, id, parentId, timestamp: time(second).toISOString(), ...fields });
}

export function user(id: string, parentId: string | null, second: number, text: string): string {
	const message = { role: "user", content: [{ type: "text", text }], timestamp: time(second).getTime() };
	return entry("message", id, parentId, second, { message });
}

export function assistant(
	id: string,
	parentId: string | null,
	second: number,
	text: string,
	blocks: object[] = [],
): string {
	const cost = { input: 0.01, output: 0.02, cacheRead: 0, cacheWrite: 0, total: 0.03 };
	const message = {
		role: "assistant",
		content: [{ type: "text", text }, ...blocks],
		api: "anthropic-messages",
		provider: "anthropic",
		model: "claude-sonnet-4-5",
		usage: { input: 10, output: 20, cacheRead: 0, cacheWrite: 0, totalTokens: 30, cost },
		stopReason: "stop",
		timestamp: time(second).getTime(),
	};
	return entry("message", id, parentId, second, { message });
}

export function toolResult(
	id: string,
	parentId: string | null,
	second: number,
	text: string,
	toolName = "bash",
): string {
	const content = [{ type: "text", text }];
	const message = {
		role: "toolResult",
		toolCallId: "c1",
		toolName,
		content,
		isError: false,
		timestamp: time(second).getTime(),
	};
	return entry("message", id, parentId, second, { message });
}

/** A file's text: each line ended. */
export function lines(...all: string[]): string {
	return all.map((line) => `${line}\n`).join("");
}
