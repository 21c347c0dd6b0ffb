import { Box } from "ink";
import type { ReactNode } from "react";
import { blanks } from "../src/ui/text/sanitize.ts";
import type { OverlayView } from "../src/ui/view.ts";
import { Frame } from "./Frame.tsx";
import { Menu } from "./Menu.tsx";
import { Prompt } from "./Prompt.tsx";
import { TextLine, TextLines } from "./TextLine.tsx";

/** A framed overlay above the panes, with its hint in the last row. */
export function Overlay({ overlay }: { readonly overlay: OverlayView }): ReactNode {
	const isDangerous = overlay.kind === "menu" && overlay.danger;
	return (
		<Frame
			box={overlay}
			title={overlay.title}
			position={overlay.kind === "help" ? overlay.position : blanks(0)}
			tone={isDangerous ? "error" : "accent"}
		>
			<Box flexDirection="column" flexGrow={1} justifyContent="space-between" paddingX={1}>
				<Box flexDirection="column">
					<TextLines lines={overlay.body} />
					{overlay.kind === "menu" && <Menu key={`${overlay.index} of ${overlay.items.length}`} menu={overlay} />}
					{overlay.kind === "prompt" && <Prompt prompt={overlay} />}
				</Box>
				<TextLine line={overlay.hint} />
			</Box>
		</Frame>
	);
}
