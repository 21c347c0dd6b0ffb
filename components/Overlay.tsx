import { Box } from "ink";
import type { ReactNode } from "react";
import { blanks } from "../src/ui/text/sanitize.ts";
import type { OverlayView } from "../src/ui/view.ts";
import { Frame } from "./Frame.tsx";
import { Lines } from "./Lines.tsx";
import { LineText } from "./LineText.tsx";
import { Menu } from "./Menu.tsx";
import { Prompt } from "./Prompt.tsx";

const NO_POSITION = blanks(0);

/** A framed overlay above the panes, with its hint in the last row. */
export function Overlay({ overlay }: { readonly overlay: OverlayView }): ReactNode {
	const danger = overlay.kind === "menu" && overlay.danger;
	return (
		<Frame
			box={overlay}
			title={overlay.title}
			position={overlay.kind === "help" ? overlay.position : NO_POSITION}
			tone={danger ? "error" : "accent"}
			opaque
		>
			<Box flexDirection="column" flexGrow={1} justifyContent="space-between" paddingX={1}>
				<Box flexDirection="column">
					<Lines lines={overlay.body} />
					{overlay.kind === "menu" && <Menu key={overlay.index} menu={overlay} />}
					{overlay.kind === "prompt" && <Prompt prompt={overlay} />}
				</Box>
				<LineText line={overlay.hint} />
			</Box>
		</Frame>
	);
}
