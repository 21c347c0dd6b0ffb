/** A form of a whole file in which no line is an entry, although a person would recognize the session. */
type FileForm = "utf-16" | "multi-line";

export const FORM_MESSAGES: Readonly<Record<FileForm, string>> = {
	"utf-16":
		"The file is UTF-16 text, as PowerShell's `>` writes it, and pi reads only UTF-8; `pi-grove doctor --repair` writes a copy that pi can read.",
	"multi-line":
		"The file is JSON over several lines, as programs that format it write it, and pi reads one object a line; `pi-grove doctor --repair` writes a copy that pi can read.",
};

export const FILE_FORMS: readonly FileForm[] = ["utf-16", "multi-line"];

/** The form of a file by the bytes of its first line; undefined for a file of lines. */
export function formOf(firstLine: Buffer): FileForm | undefined {
	if (encodingOf(firstLine) !== undefined) return "utf-16";
	const start = firstLine.toString("latin1", 0, LONGEST).replace(/^\u00ef\u00bb\u00bf/, "");
	return firstLine.length <= LONGEST && /^\s*[[{]\s*$/.test(start) ? "multi-line" : undefined;
}

/** Bytes of a line that is only a bracket, with a byte order mark and blanks. */
const LONGEST = 40;
const BRACE = 0x7b;

/** Whether the bytes of a file are UTF-16 in little or big endian: by its byte order mark, or by its first brace. */
function encodingOf(bytes: Buffer): "le" | "be" | undefined {
	const [first, second] = bytes;
	if ((first === 0xff && second === 0xfe) || (first === BRACE && second === 0)) return "le";
	if ((first === 0xfe && second === 0xff) || (first === 0 && second === BRACE)) return "be";
	return undefined;
}

/** The bytes of a whole file in UTF-8, if they are UTF-16; else the same. */
export function inUtf8(bytes: Buffer): Buffer {
	const encoding = encodingOf(bytes);
	if (encoding === undefined) return bytes;
	const even = Buffer.from(bytes.subarray(0, bytes.length - (bytes.length % 2)));
	const text = (encoding === "be" ? even.swap16() : even).toString("utf16le");
	return Buffer.from(text.replace(/^\uFEFF/, ""));
}
