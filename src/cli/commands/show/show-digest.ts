import type { Digest } from "../../../conversation/digest/digest.ts";
import { type DigestHead, digestMarkdown } from "../../../conversation/digest/digest-markdown.ts";
import { digestRows, drawDigestRow } from "../../../conversation/digest/digest-rows.ts";
import { titleText } from "../../../conversation/entries/session-title.ts";
import { digestWithLines } from "../../../edits/changed-lines.ts";
import { shortenHome } from "../../../ui/text/format.ts";
import type { Arguments } from "../../arguments/arguments.ts";
import type { ReadTarget } from "../../find/find-target.ts";
import { describeSessions } from "../../find/session-json.ts";
import { Sessions } from "../../find/sessions.ts";
import { jsonText } from "../../print/json.ts";
import { printJsonText, printLines, printPieces } from "../../print/output.ts";
import { headLines, widthFor } from "./show-text.ts";

/** Prints the digest of a session: as rows, as Markdown, or as an object, with `--markdown` one that has the Markdown. */
export async function showDigest(read: ReadTarget, args: Arguments): Promise<void> {
	const { session, home, row, path } = read;
	const rows = read.isRemote ? [] : await Sessions.of(args).list();
	const digest = await digestWithLines(session, { home, rows, isRemote: read.isRemote });
	if (args.markdown) {
		const text = digestMarkdown(digest, headOf(read), args.maxChars);
		if (!args.json) return printPieces([text]);
		const { id, cwd, modified } = row;
		return printJsonText(jsonText({ path, id, title: titleText(row), cwd, modified, text, next: null }));
	}
	if (args.json) {
		const facts = (await describeSessions([{ ...row, path }], args))(row, path);
		return printJsonText(jsonText({ ...facts, digest: digestJson(digest) }, "\t"));
	}
	const width = widthFor(args);
	await printLines([...headLines(read, width), ...digestRows(digest, false).map((one) => drawDigestRow(one, width))]);
}

function headOf({ row, name, home }: ReadTarget): DigestHead {
	return { title: titleText(row), directory: shortenHome(row.cwd, home), name };
}

function digestJson({ asked, changed, failed, answer, open }: Digest): object {
	return {
		asked: asked.map(({ entryId, turn, text }) => ({ entryId, turn, text })),
		changed: changed.map(({ isActive, ...file }) => ({ ...file, active: isActive })),
		failed: failed === undefined ? null : { ...failed, mended: failed.mended ?? null },
		answer: answer ?? null,
		open,
	};
}
