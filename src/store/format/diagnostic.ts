/** Something wrong or unusual in a session file. Reading never throws because of it and never hides the session. */
export interface Diagnostic {
	/** Stable name of the kind of problem, for filters and tests. */
	readonly code: DiagnosticCode;
	/** `damage`: a part of the session is lost or cannot be shown. `note`: unusual, but nothing is missing. */
	readonly severity: "damage" | "note";
	/** 1-based line in the file; absent if it concerns the whole file. */
	readonly line?: number;
	/** One plain sentence: what is wrong and what was done about it. */
	readonly message: string;
}

export type DiagnosticCode =
	| "unreadable"
	| "empty"
	| "not-a-session"
	| "utf-16"
	| "multi-line"
	| "bad-line"
	| "glued-line"
	| "repeated-line"
	| "torn-tail"
	| "invalid-utf8"
	| "byte-order-mark"
	| "old-version"
	| "newer-version"
	| "header-field"
	| "extra-header"
	| "entry-field"
	| "duplicate-id"
	| "missing-parent"
	| "parent-cycle"
	| "line-too-long";

/** Whether any diagnostic says that a part of the session is lost or cannot be shown. */
export function isDamaged(diagnostics: readonly Diagnostic[]): boolean {
	return diagnostics.some((diagnostic) => diagnostic.severity === "damage");
}

/** Whether the file cannot be opened or read at all. */
export function isUnreadable(diagnostics: readonly Diagnostic[]): boolean {
	return diagnostics.some(({ code }) => code === "unreadable");
}

/** Diagnostics stored per code; further ones are only counted, so that a huge bad file costs no memory. */
const MAX_PER_CODE = 200;

type Listed<Code extends string> = Omit<Diagnostic, "code"> & { readonly code: Code };

export class DiagnosticList<Code extends string = DiagnosticCode> {
	readonly #diagnostics: Listed<Code>[] = [];
	readonly #counts = new Map<Code, { total: number; severity: Diagnostic["severity"] }>();

	/** Adds something lost (`damage`) or unusual (`note`); `line` is 1-based. */
	add(code: Code, severity: Diagnostic["severity"], message: string, line?: number): void {
		const count = this.#counts.get(code);
		if (count) count.total += 1;
		else this.#counts.set(code, { total: 1, severity });
		if ((count?.total ?? 1) <= MAX_PER_CODE) {
			this.#diagnostics.push(line === undefined ? { code, severity, message } : { code, severity, line, message });
		}
	}

	/** All diagnostics by line, those about the whole file first. */
	toArray(): Listed<Code>[] {
		const all = [...this.#diagnostics];
		for (const [code, { total, severity }] of this.#counts) {
			const more = total - MAX_PER_CODE;
			if (more > 0) all.push({ code, severity, message: `${more} more of this kind (${code}) in this file.` });
		}
		return all.sort((a, b) => (a.line ?? 0) - (b.line ?? 0) || (a.message < b.message ? -1 : 1));
	}

	has(codes: readonly Code[]): boolean {
		return codes.some((code) => this.#counts.has(code));
	}

	/** Whether further diagnostics of a code are only counted, so that their messages are never shown. */
	isFull(code: Code): boolean {
		return (this.#counts.get(code)?.total ?? 0) >= MAX_PER_CODE;
	}

	/** Number of diagnostics, including those that are only counted. */
	get size(): number {
		return this.#counts.values().reduce((sum, { total }) => sum + total, 0);
	}

	/** The stored diagnostics, in the order in which they were found. */
	get stored(): readonly Listed<Code>[] {
		return this.#diagnostics;
	}

	/** Number of diagnostics by code, including those that are only counted. */
	totals(): ReadonlyMap<Code, number> {
		return new Map([...this.#counts].map(([code, { total }]) => [code, total]));
	}
}
