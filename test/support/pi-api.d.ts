/*
 * What the extension uses of pi, for the check without pi. With pi unpacked, `tsc -p test/compat` checks the same code with
 * pi's own types (1.6.0, docs/extensions.md).
 */

declare module "@earendil-works/pi-tui" {
	export type KeyId = string;
	export interface TUI {
		readonly mode: "regular" | "fullscreen";
		start(): void;
		stop(options?: { preserveScreen?: boolean }): void;
		requestRender(force?: boolean): void;
		renderNow(force?: boolean): void;
	}
	export class Text implements Component {
		constructor(text: string, paddingX: number, paddingY: number);
		render(width: number): string[];
		invalidate(): void;
	}
	export interface Component {
		render(width: number): string[];
		invalidate(): void;
	}
}

declare module "@earendil-works/pi-coding-agent" {
	import type { Component, KeyId, TUI } from "@earendil-works/pi-tui";

	export const VERSION: string;
	export function getAgentDir(): string;

	export interface ExtensionUIContext {
		readonly theme: {
			/** Since pi 0.99. */
			readonly colors: Readonly<Record<string, { readonly kind: string; readonly index?: number }>>;
			readonly appearance: "dark" | "light";
		};
		select(title: string, options: string[]): Promise<string | undefined>;
		confirm(title: string, message: string): Promise<boolean>;
		editor(title: string, prefill?: string): Promise<string | undefined>;
		notify(message: string, type?: "info" | "warning" | "error"): void;
		setStatus(key: string, text: string | undefined): void;
		setWidget(key: string, content: ((tui: TUI) => Component) | undefined): void;
		pasteToEditor(text: string): void;
		setEditorText(text: string): void;
		getEditorText(): string;
	}

	export interface ExtensionContext {
		readonly ui: ExtensionUIContext;
		readonly mode: "tui" | "rpc" | "json" | "print";
		readonly cwd: string;
		readonly sessionManager: {
			getSessionFile(): string | undefined;
			getSessionDir(): string;
			getSessionId(): string;
			getLeafId(): string | null;
			getEntry(
				id: string,
			):
				| { readonly type: "message"; readonly message: { readonly role: string } }
				| { readonly type: "custom" }
				| undefined;
		};
		isIdle(): boolean;
		abort(): void;
	}

	export interface ExtensionCommandContext extends ExtensionContext {
		waitForIdle(): Promise<void>;
		fork(entryId: string, options: { position: "before" | "at" } & WithSession): Promise<{ cancelled: boolean }>;
		navigateTree(
			entryId: string,
			options: { summarize?: boolean; customInstructions?: string },
		): Promise<{ cancelled: boolean }>;
		newSession(options: WithSession): Promise<{ cancelled: boolean }>;
		switchSession(path: string, options: WithSession): Promise<{ cancelled: boolean }>;
	}

	interface WithSession {
		withSession?: (ctx: ExtensionCommandContext) => Promise<void>;
	}

	/** What an agent may call; `parameters` is a JSON Schema. */
	export interface ToolDefinition {
		name: string;
		label: string;
		description: string;
		promptSnippet?: string;
		promptGuidelines?: string[];
		parameters: object;
		execute(
			id: string,
			given: object,
			signal: AbortSignal | undefined,
			onUpdate: unknown,
			ctx: ExtensionContext,
		): Promise<{ content: { type: "text"; text: string }[]; details: undefined }>;
		renderCall(
			given: { query?: string; read?: string },
			theme: { fg(color: "toolTitle" | "accent", text: string): string; bold(text: string): string },
		): Component;
	}

	export interface ExtensionAPI {
		registerTool(tool: ToolDefinition): void;
		on(event: "session_start", handler: (event: { readonly reason: string }, ctx: ExtensionContext) => void): void;
		on(event: "session_tree", handler: () => void): void;
		on(event: "session_shutdown", handler: () => Promise<void>): void;
		registerCommand(
			name: string,
			options: {
				description?: string;
				getArgumentCompletions?: (typed: string) => { value: string; label: string; description?: string }[] | null;
				handler: (args: string, ctx: ExtensionCommandContext) => Promise<void>;
			},
		): void;
		registerShortcut(
			key: KeyId,
			options: { description?: string; handler: (ctx: ExtensionContext) => Promise<void> | void },
		): void;
		registerFlag(name: string, options: { description?: string; type: "boolean" }): void;
		/** Names of the tools that the model is told of. */
		getActiveTools(): string[];
		setActiveTools(names: string[]): void;
		getFlag(name: string): boolean | string | undefined;
		sendUserMessage(text: string, options: { expandPromptTemplates?: boolean }): void;
		setSessionName(name: string): void;
		setLabel(entryId: string, label: string | undefined): void;
		/** Since pi 0.99. */
		getSettings?(): { branchSummary?: { skipPrompt?: boolean }; defaultTools?: string[] };
	}
}
