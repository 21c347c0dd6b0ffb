import { Box } from "ink";
import { type ReactNode, useContext } from "react";
import type { Line, OverlayView } from "../src/app/model/view.ts";
import type { OverlayBox } from "../src/app/screen/overlay-box.ts";
import { Frame } from "./Frame.tsx";
import { Help } from "./Help.tsx";
import { LineText } from "./LineText.tsx";
import { Menu } from "./Menu.tsx";
import { Prompt } from "./Prompt.tsx";
import { ThemeContext } from "./theme.ts";

interface OverlayProps {
	readonly overlay: OverlayView;
	readonly place: OverlayBox;
}

/** What lies over the panes, framed, with its hint in the last row. */
export function Overlay({ overlay, place }: OverlayProps): ReactNode {
	const theme = useContext(ThemeContext);
	const danger = overlay.kind === "menu" && overlay.danger;
	return (
		<Frame
			left={place.left}
			top={place.top}
			width={place.width}
			height={place.height}
			title={overlay.title}
			position={overlay.kind === "help" ? overlay.position : ""}
			style={danger ? theme.dangerBorder : theme.focusedBorder}
			opaque
		>
			<Box flexDirection="column" paddingX={1} width={place.width - 2}>
				<OverlayBody overlay={overlay} place={place} />
				<LineText line={overlay.hint} />
			</Box>
		</Frame>
	);
}

function OverlayBody({ overlay, place }: OverlayProps): ReactNode {
	switch (overlay.kind) {
		case "help":
			return <Help help={overlay} />;
		case "menu":
			return (
				<Spaced body={overlay.body} spaced={place.spaced}>
					<Menu key={overlay.index} menu={overlay} />
				</Spaced>
			);
		case "prompt":
			return (
				<Spaced body={overlay.body} spaced={place.spaced}>
					<Prompt prompt={overlay} />
				</Spaced>
			);
	}
}

interface SpacedProps {
	readonly body: readonly Line[];
	readonly spaced: boolean;
	readonly children: ReactNode;
}

function Spaced({ body, spaced, children }: SpacedProps): ReactNode {
	return (
		<>
			{body.map((line, index) => {
				// The lines never change their order, so the place of a line is its identity.
				const key = `${index}`;
				return <LineText key={key} line={line} />;
			})}
			{spaced && body.length > 0 && <LineText line={[]} />}
			{children}
			{spaced && <LineText line={[]} />}
		</>
	);
}
