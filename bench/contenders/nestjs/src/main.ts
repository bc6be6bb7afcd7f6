import "reflect-metadata";
import { NestFactory } from "@nestjs/core";
import compression from "compression";
import { AppModule } from "./app.module.js";

const app = await NestFactory.create(AppModule);
app.use(compression());
await app.listen(Number(process.env.PORT ?? 3000), "127.0.0.1");
