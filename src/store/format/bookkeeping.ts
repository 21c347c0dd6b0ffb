/** Entries about the session itself, which say nothing in the conversation (hidden by pi's default filter, pi 1.5.2). */
export const BOOKKEEPING: ReadonlySet<string> = new Set([
	"label",
	"context_edit",
	"custom",
	"model_change",
	"thinking_level_change",
	"session_info",
	"usage",
]);
