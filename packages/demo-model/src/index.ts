export { startDemoModel, type DemoModel, type DemoModelOptions } from './server/start-demo-model.ts';
export { demoModelName } from './server/model-card.ts';
