import { busan } from "./busan.ts";
import { cards } from "./cards.ts";
import type { Clip } from "./clip.ts";
import { curtain } from "./curtain.ts";
import { daNang } from "./da-nang.ts";
import { dancers } from "./dancers.ts";
import { dice } from "./dice.ts";
import { dunes } from "./dunes.ts";
import { fireflies } from "./fireflies.ts";
import { flowField } from "./flow-field.ts";
import { hanoi } from "./hanoi.ts";
import { ink } from "./ink.ts";
import { kaleidoscope } from "./kaleidoscope.ts";
import { koiPond } from "./koi-pond.ts";
import { lightShow } from "./light-show.ts";
import { mirrorBall } from "./mirror-ball.ts";
import { moonlitSea } from "./moonlit-sea.ts";
import { northernLights } from "./northern-sky.ts";
import { osaka } from "./osaka.ts";
import { pendulums } from "./pendulums.ts";
import { rainWindow } from "./rain-window.ts";
import { saigon } from "./saigon.ts";
import { sandFigures } from "./sand-figures.ts";
import { seoul } from "./seoul.ts";
import { spirograph } from "./spirograph.ts";

const nature = [northernLights, koiPond, fireflies, moonlitSea, rainWindow, dunes];
const city = [hanoi, daNang, saigon, seoul, busan, osaka];
const stage = [lightShow, dancers, curtain, dice, cards, mirrorBall];
const abstract = [flowField, spirograph, kaleidoscope, sandFigures, pendulums, ink];

/** All the clips of the demo, in the order in which they are shown. */
export const PROGRAMME: readonly Clip[] = [...nature, ...city, ...stage, ...abstract];
