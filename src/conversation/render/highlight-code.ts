import type { Emitter, HLJSApi } from "highlight.js";
import hljs from "highlight.js/lib/core";
import bash from "highlight.js/lib/languages/bash";
import c from "highlight.js/lib/languages/c";
import cpp from "highlight.js/lib/languages/cpp";
import csharp from "highlight.js/lib/languages/csharp";
import css from "highlight.js/lib/languages/css";
import diff from "highlight.js/lib/languages/diff";
import dockerfile from "highlight.js/lib/languages/dockerfile";
import go from "highlight.js/lib/languages/go";
import graphql from "highlight.js/lib/languages/graphql";
import ini from "highlight.js/lib/languages/ini";
import java from "highlight.js/lib/languages/java";
import javascript from "highlight.js/lib/languages/javascript";
import json from "highlight.js/lib/languages/json";
import kotlin from "highlight.js/lib/languages/kotlin";
import lua from "highlight.js/lib/languages/lua";
import makefile from "highlight.js/lib/languages/makefile";
import markdown from "highlight.js/lib/languages/markdown";
import php from "highlight.js/lib/languages/php";
import python from "highlight.js/lib/languages/python";
import ruby from "highlight.js/lib/languages/ruby";
import rust from "highlight.js/lib/languages/rust";
import scss from "highlight.js/lib/languages/scss";
import shell from "highlight.js/lib/languages/shell";
import sql from "highlight.js/lib/languages/sql";
import swift from "highlight.js/lib/languages/swift";
import typescript from "highlight.js/lib/languages/typescript";
import xml from "highlight.js/lib/languages/xml";
import yaml from "highlight.js/lib/languages/yaml";
import type { Tone } from "../../ui/text/line.ts";
import type { CodePart } from "./renderers.ts";

const GRAMMARS = {
	bash,
	c,
	cpp,
	csharp,
	css,
	diff,
	dockerfile,
	go,
	graphql,
	ini,
	java,
	javascript,
	json,
	kotlin,
	lua,
	makefile,
	markdown,
	php,
	python,
	ruby,
	rust,
	scss,
	shell,
	sql,
	swift,
	typescript,
	xml,
	yaml,
};

/** Collects the pieces of code with their tones, in place of the emitter of highlight.js that writes HTML. */
class PartCollector implements Emitter {
	readonly parts: CodePart[] = [];
	readonly #scopes: string[] = [];

	addText(text: string): void {
		if (text === "") return;
		const tone = toneOfScope(this.#scopes);
		const last = this.parts.at(-1);
		if (last !== undefined && last.tone === tone) this.parts[this.parts.length - 1] = { text: last.text + text, tone };
		else this.parts.push({ text, tone });
	}

	startScope(name: string): void {
		this.#scopes.push(name);
	}

	endScope(): void {
		this.#scopes.pop();
	}

	/** The parser calls these two for the scopes of modes, and those above for scopes within a mode. */
	openNode(name: string): void {
		this.startScope(name);
	}

	closeNode(): void {
		this.endScope();
	}

	__addSublanguage(emitter: Emitter): void {
		if (emitter instanceof PartCollector) this.parts.push(...emitter.parts);
	}

	finalize(): void {}

	toHTML(): string {
		return "";
	}
}

let highlighter: HLJSApi | undefined;

export function highlightCode(code: string, language: string): readonly CodePart[] | undefined {
	highlighter ??= newHighlighter();
	if (highlighter.getLanguage(language) === undefined) return undefined;
	const { _emitter: collected } = highlighter.highlight(code, { language, ignoreIllegals: true });
	if (!(collected instanceof PartCollector)) return undefined;
	// After an error in a grammar a part of the code is missing.
	return collected.parts.map(({ text }) => text).join("") === code ? collected.parts : undefined;
}

function newHighlighter(): HLJSApi {
	const instance = hljs.newInstance();
	for (const [name, grammar] of Object.entries(GRAMMARS)) instance.registerLanguage(name, grammar);
	instance.configure({ __emitter: PartCollector });
	return instance;
}

/** The scopes of highlight.js by their tones; a scope is a name, or the beginning of names up to a dot. */
const SCOPES: readonly (readonly [tone: Tone | undefined, scopes: string])[] = [
	["added", "addition"],
	["name", "attr attribute property selector-attr selector-class selector-id selector-pseudo template-variable title"],
	["type", "built_in title.class type"],
	["keyword", "bullet doctag keyword meta.keyword name selector-tag template-tag variable.language"],
	["code", "code formula"],
	["comment", "comment meta quote"],
	["removed", "deletion"],
	["link", "link"],
	["number", "literal number symbol variable.constant"],
	["string", "meta.string regexp string"],
	["heading", "section"],
	[undefined, "subst"],
];

const TONES: ReadonlyMap<string, Tone | undefined> = new Map(
	SCOPES.flatMap(([tone, scopes]) => scopes.split(" ").map((scope) => [scope, tone] as const)),
);

/** The tone of code in these nested scopes, the outermost first: that of the innermost scope that has one. */
function toneOfScope(scopes: readonly string[]): Tone | undefined {
	for (const scope of scopes.toReversed()) {
		for (let name = scope; name !== ""; name = name.slice(0, Math.max(0, name.lastIndexOf(".")))) {
			if (TONES.has(name)) return TONES.get(name);
		}
	}
	return undefined;
}
