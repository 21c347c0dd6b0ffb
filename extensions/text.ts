/** Controls except tab and newline, and bidirectional controls: no text of a session may reach the terminal with them. */
// biome-ignore format: one class
const UNSEEN = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/** Makes a text safe to show and to put into pi's editor. */
export function clean(text: string): string {
	return text.replaceAll("\r\n", "\n").replace(UNSEEN, "");
}
