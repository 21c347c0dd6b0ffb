import { formatCount, formatCounted } from "../../ui/text/format.ts";
import type { PreparedShare } from "./prepare-share.ts";

/** What is masked in what is shared, and that a person has to read it: what has none of the known forms is not found. */
export function maskedLine({ groups }: Pick<PreparedShare, "groups">): string {
	const masked = groups.filter(({ isAllowed }) => !isAllowed).map(({ words }) => words);
	return `Masked by form (${masked.join(", ") || "nothing was found"}): read it before you share it.`;
}

/** What is not in it. */
export function leftOutLines({ shared, survey }: PreparedShare): string[] {
	const damaged = shared.session.diagnostics.filter(({ severity }) => severity === "damage").length;
	const leftOut = { branches: survey.leftOutBranches, entries: survey.leftOutEntries };
	return [
		...(leftOut.branches === 0 ? [] : [`${capitalized(leftOutWords(leftOut))}.`]),
		...(damaged === 0
			? []
			: [`The file is damaged in ${formatCounted(damaged, "place")}: what cannot be read is not here.`]),
	];
}

/** What there is to say of its pictures, where they are shown. */
export function pictureLines({ survey: { images, oddImages } }: PreparedShare): string[] {
	return [
		...(images === 0 ? [] : [`${formatCounted(images, "picture")} as in the session: nothing is masked in pictures.`]),
		...(oddImages === 0 ? [] : [`${formatCounted(oddImages, "picture")} of a form that browsers do not show.`]),
	];
}

/** "another branch (12 entries) is left out" */
export function leftOutWords({ branches, entries }: { readonly branches: number; readonly entries: number }): string {
	const many = formatCounted(entries, "entry", "entries");
	return branches === 1
		? `another branch (${many}) is left out`
		: `${formatCount(branches)} other branches (${many}) are left out`;
}

function capitalized(text: string): string {
	return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`;
}
